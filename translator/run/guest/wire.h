/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What spile and the guest's first process say to each other over the virtio-serial port: frames, each a header
 * and `len' bytes.  Both ends are x86-64 programs of one build, so numbers travel as they lie in memory.
 *
 *	guest			host
 *	READY		->
 *			<-	JOB
 *	OUTPUT ...	->	(to its standard output or error)
 *			<-	CREDIT		as much of that was written out
 *	CREDIT		->			room for standard input
 *			<-	INPUT ...	an empty one is its end
 *			<-	SIGNAL, HANGUP
 *	EXIT or FAIL	->	(ends the machine)
 *
 * No end sends more of a stream than the other gave credit for, so a reader that stops reading holds up its own
 * stream alone, and signals and the exit status always get through.
 */
#ifndef SPILE_GUEST_WIRE_H
#define SPILE_GUEST_WIRE_H

#include <assert.h>
#include <stdint.h>

#define WIRE_PORT	"org.spile.vm"	/* the port's name, in /sys/class/virtio-ports/<port>/name */
#define WIRE_HOST_TAG	"host"		/* 9p mount tag of the host's file system */
#define WIRE_MODULES	"modules"	/* folder in the initramfs: kernel modules, to be loaded in the order of names */

#define WIRE_WINDOW	(256u << 10)	/* bytes of one output stream in flight; the guest starts with this credit */
#define WIRE_INPUT	(32u << 10)	/* bytes of standard input in flight */
#define WIRE_DATA	(32u << 10)	/* longest OUTPUT or INPUT; what virtio_console sends at once */
#define WIRE_JOB	(8u << 20)	/* longest JOB; the kernel's own limit on arguments and environment is lower */

enum wire_kind {
	WIRE_READY = 1,
	WIRE_JOB_IS,
	WIRE_OUTPUT,
	WIRE_CREDIT,		/* uint32_t: bytes */
	WIRE_INPUT_IS,
	WIRE_SIGNAL,		/* int32_t: signal for the command, in the guest's numbers */
	WIRE_HANGUP,		/* nobody reads this output stream any more */
	WIRE_EXIT,		/* int32_t: status as waitpid() gives it */
	WIRE_FAIL,		/* text: why the command could not be run */
};

enum wire_stream { WIRE_STDIN, WIRE_STDOUT, WIRE_STDERR, WIRE_STREAMS };

struct wire_head {
	uint8_t kind;		/* enum wire_kind */
	uint8_t stream;		/* OUTPUT, CREDIT, HANGUP: which; SIGNAL: 1 for the command's whole process group */
	uint16_t zero;
	uint32_t len;
};

/* A JOB: this, then NUL-terminated strings: cwd, host name, modules folder, argv, environment. */
struct wire_job {
	uint32_t argc, envc;
	int64_t sec, nsec;	/* the host's clock */
	uint32_t mask;		/* umask */
	uint8_t has_input;	/* else standard input is /dev/null */
	uint8_t merge;		/* the host's standard output and error are one file: keep their order */
	uint8_t zero[2];
};

static_assert(sizeof(struct wire_head) == 8 && sizeof(struct wire_job) == 32, "both ends must agree");

#endif
