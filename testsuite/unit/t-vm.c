/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Guests, from outside: each check is a shell script that drives vm-run ($VM, with a limit in time; $RUN, without, whose
 * child QEMU is) in a scratch folder and prints what it found, beside what it must print.  Skipped where there is no
 * QEMU, or no kernel in the cache: tests fetch nothing (vm-run without -n does).  Start reading at checks[].
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static const struct { const char *name, *script, *want; } checks[] = {
	{ "streams stay apart, status comes back",
	  "$VM sh -c 'echo out; echo err >&2; exit 7' >o 2>e; echo $?; cat o; echo -; cat e",
	  "7\nout\n-\nerr\n" },
	{ "one file for both keeps the order",
	  "$VM sh -c 'for i in 1 2 3; do echo o$i; echo e$i >&2; done' >o 2>&1; cat o",
	  "o1\ne1\no2\ne2\no3\ne3\n" },
	{ "death by a signal",
	  "$VM sh -c 'kill -SEGV $$'; echo $?",
	  "139\n" },
	{ "a command that is not there",
	  "$VM no-such-command 2>e; echo $?; sed \"s,$PWD,HERE,\" e",
	  "125\nerror: in the guest: cannot run no-such-command in HERE: No such file or directory [vm]\n" },
	{ "place, environment, umask, host name, root",
	  "mkdir 'a b'; cd 'a b'; umask 027; export FOO=\"x  y\n z\"; report() { pwd; umask; hostname; echo \"$FOO\"; }\n"
	  "$VM sh -c 'pwd; umask; hostname; echo \"$FOO\"; id -u' >o; { report; echo 0; } >w; cmp o w && echo same",
	  "same\n" },
	{ "files made here are there, files made there are not here",
	  "mkdir d; echo here >d/f; ln -s d/f l\n"
	  "$VM sh -c 'cat l; echo there >d/g && rm d/f && echo changed >>l; cat d/g; ls d' 2>&1; ls d; cat l",
	  "here\nthere\nf\ng\nf\nhere\n" },
	{ "the guest's own views",
	  "$VM sh -c 'test -e /proc/self/exe && test -d /sys/kernel/tracing/events && test -d /sys/kernel/debug/tracing &&"
	  " test -f /lib/modules/$(uname -r)/modules.order && ls -d /dev/shm /dev/pts/ptmx && echo x | cat /dev/fd/0 &&"
	  " grep -c -w 127.0.0.1 /proc/net/fib_trie >/dev/null && echo lo'",
	  "/dev/pts/ptmx\n/dev/shm\nx\nlo\n" },
	{ "standard input, none unless handed on",
	  "seq 1 100000 >w; $VM cat <w >o; wc -c <o; $VM -i cat <w | cmp - w && echo same; yes | $VM -i head -1",
	  "0\nsame\ny\n" },
	{ "twenty megabytes of output, and half as much on standard error",
	  "$VM sh -c 'head -c 10000000 /dev/zero >&2 & head -c 20000000 /dev/zero | tr \"\\0\" x; wait' >o 2>e;"
	  " wc -c <o; wc -c <e; tr -d x <o | wc -c",
	  "20000000\n10000000\n0\n" },
	{ "a reader that stops",
	  "$VM yes | head -n 1; $VM sh -c 'echo a; sleep 1; echo b; echo \"c $?\" >&2' 2>e | head -n 1; cat e",
	  "y\na\n" },
	{ "a reader of one stream that pauses does not hold up the other",
	  "mkfifo p; $VM sh -c 'head -c 3000000 /dev/zero & head -c 3000000 /dev/zero >&2; echo >&2 done; wait' 2>p >o &\n"
	  "exec 3<p; sleep 1; (cat <&3 | tail -c 5); wait; wc -c <o",
	  "done\n3000000\n" },
	{ "processes left behind do not hold up the end",
	  "$VM sh -c 'sleep 1000 & yes >&2 & echo end' 2>/dev/null",
	  "end\n" },
	{ "the first signal reaches the command, and it may take its time",
	  "env --default-signal=INT $RUN sh -c 'trap \"echo caught; exit 5\" INT; echo up; while :; do sleep 0.1; done' >o & p=$!\n"
	  "until grep -q up o; do sleep 0.1; done; kill -TERM $p; wait $p; echo $?; cat o",
	  "5\nup\ncaught\n" },
	{ "the second one ends the guest",
	  "env --default-signal=INT $RUN sh -c 'trap \"echo caught\" INT; echo up; while :; do sleep 0.1; done' >o & p=$!\n"
	  "until grep -q up o; do sleep 0.1; done; kill -INT $p; until grep -q caught o; do sleep 0.1; done\n"
	  "pgrep -P $p >q; kill -TERM $p; wait $p; echo $?; kill -0 $(cat q) 2>/dev/null || echo gone",
	  "143\ngone\n" },
	{ "a signal while it boots ends it",
	  "env --default-signal=INT $RUN true & p=$!; until pgrep -P $p >q; do :; done; kill -INT $p; wait $p; echo $?;"
	  " kill -0 $(cat q) 2>/dev/null || echo gone",
	  "130\ngone\n" },
	{ "killed, we leave no QEMU and no file behind",
	  "mkdir t; TMPDIR=$PWD/t $RUN sleep 100 & p=$!; until pgrep -P $p >q; do :; done; sleep 1; kill -KILL $p;"
	  " wait $p 2>/dev/null; for i in $(seq 100); do kill -0 $(cat q) 2>/dev/null || break; sleep 0.1; done;"
	  " kill -0 $(cat q) 2>/dev/null || echo gone; ls -A t",
	  "gone\n" },
	{ "a crash of the kernel is told with its words",
	  "$VM sh -c 'echo 1 >/proc/sys/kernel/sysrq; echo before; sleep 1; echo c >/proc/sysrq-trigger; sleep 100' 2>e;"
	  " echo $?; grep -o -e 'the guest ended before the command did' -e 'sysrq triggered crash' e | sort -u",
	  "before\n125\nsysrq triggered crash\nthe guest ended before the command did\n" },
	{ "without QEMU",
	  "mkdir none; PATH=$PWD/none $RUN true 2>e; echo $?; cat e",
	  "125\nerror: a guest needs qemu-system-x86_64, which is not installed [vm]\n"
	  "hint: apt-get install qemu-system-x86\n" },
	{ "a program run there can be probed, under the path it was built at, and so can its library",
	  "cat >p.c <<'EOF'\n"
	  "#include <stdio.h>\n"
	  "__attribute__((noinline)) int work(int x) { __asm__ volatile(\"\"); return x + 1; }\n"
	  "int main(void) { int s = 0; for (int i = 0; i < 5; i++) s += work(i); puts(s == 15 ? \"good\" : \"bad\"); }\n"
	  "EOF\n"
	  "gcc -O2 -o p p.c || exit; at=$(nm p | sed -n 's/^0*\\(.*\\) T work$/\\1/p')\n"
	  "libc=$(ldd p | sed -n 's/.*libc.so.6 => \\([^ ]*\\).*/\\1/p')\n"
	  "puts=$(readelf -W --dyn-syms $libc | sed -n 's/^ *[0-9]*: 0*\\([0-9a-f]*\\) .* puts@@.*/\\1/p')\n"
	  "cat >t <<EOF\n"
	  "cd /sys/kernel/tracing; echo p:work $PWD/p:0x$at >uprobe_events; echo p:puts $libc:0x$puts >>uprobe_events\n"
	  "echo 1 >events/uprobes/enable; $PWD/p; $PWD/p; echo 0 >events/uprobes/enable\n"
	  "grep -c ' work:' trace; grep -c ' puts:' trace\n"
	  "EOF\n"
	  "$VM sh t",
	  "good\ngood\n10\n2\n" },
	{ "a module built with the tree's headers loads",
	  "cat >hello.c <<'EOF'\n"
	  "#include <linux/module.h>\n"
	  "static char *word = \"none\";\n"
	  "module_param(word, charp, 0444);\n"
	  "static int __init hello_init(void) { pr_info(\"hello %s\\n\", word); return 0; }\n"
	  "static void __exit hello_exit(void) { pr_info(\"hello goes\\n\"); }\n"
	  "module_init(hello_init);\nmodule_exit(hello_exit);\nMODULE_LICENSE(\"GPL\");\n"
	  "EOF\n"
	  "echo obj-m := hello.o >Makefile; $VM >tree; eval set -- $(sed -n \"s/^make \\(.*\\)/'\\1'/p\" tree)\n"
	  "make -C $(sed -n 's/^build //p' tree) M=$PWD \"$@\" modules >log 2>&1 || { cat log; exit; }\n"
	  "$VM sh -c 'PATH=$PATH:/sbin:/usr/sbin; insmod hello.ko word=there || busybox insmod hello.ko word=there;"
	  " cat /sys/module/hello/parameters/word; rmmod hello || busybox rmmod hello;"
	  " dmesg | grep -o \"hello [a-z]*$\"' 2>/dev/null",
	  "there\nhello there\nhello goes\n" },
	{ "wishes that cannot be met",
	  "for k in 9.9 six ../6.1; do $VM -k $k true 2>&1 | sed \"s,cache .* \\[,cache C [,\"; done",
	  "error: no Linux 9.9 in the cache C [kernel]\n"
	  "error: 'six' is no kernel release [kernel]\n"
	  "hint: a series, such as 6.1, or a release as uname -r gives it\n"
	  "error: '../6.1' is no kernel release [kernel]\n"
	  "hint: a series, such as 6.1, or a release as uname -r gives it\n" },
};

/* What a shell prints when it runs @script in a scratch folder of its own. */
static void output_of(const char *script, char *out, size_t room)
{
	char folder[] = "/tmp/t-vm.XXXXXX", command[8192];
	size_t len = 0, n;
	FILE *f;

	out[0] = '\0';
	if (!mkdtemp(folder))
		return;
	snprintf(command, sizeof(command), "cd %s || exit\nRUN='" VM_RUN " -n' VM=\"timeout -k 5 100 $RUN\"\n%s", folder,
		 script);
	f = popen(command, "r");
	while (f && len + 1 < room && (n = fread(out + len, 1, room - 1 - len, f)) > 0)
		len += n;
	out[len] = '\0';
	if (f)
		pclose(f);
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	if (system(command))
		printf("FAIL cannot remove %s\n", folder);
}

int main(int argc, char **argv)
{
	static char out[8000];

	if (system("command -v qemu-system-x86_64 >/dev/null")) {
		printf("skip guests: no qemu-system-x86_64; apt-get install qemu-system-x86\n");
		return 0;
	}
	if (system(VM_RUN " -n >/dev/null 2>&1")) {
		printf("skip guests: no kernel in the cache; " VM_RUN " true fetches one\n");
		return 0;
	}
	/* t-vm TEXT runs only the checks whose name has TEXT. */
	for (size_t i = 0; i < sizeof(checks) / sizeof(*checks); i++) {
		if (argc > 1 && !strstr(checks[i].name, argv[1]))
			continue;
		output_of(checks[i].script, out, sizeof(out));
		check_str(out, checks[i].want, (int)i, checks[i].name);
		fflush(stdout);
	}
	return check_end();
}
