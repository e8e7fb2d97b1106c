!inlined
