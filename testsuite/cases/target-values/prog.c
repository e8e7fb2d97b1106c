/* SPDX-License-Identifier: GPL-2.0-or-later */
enum color { RED, GREEN = 5 };
struct in { int x, y; };
struct rec { int i; char c; struct in in; struct rec *next; const char *txt; char name[8]; unsigned a : 3; int b : 5; float fl; };
volatile int counter = 7, out;
static struct rec second = { 2, 'b', { 3, 4 }, 0, (const char *)16, "bb", 1, 1, 0 };
static struct rec first = { 1, '\n', { -1, 2 }, &second, "text\t", "a\"a", 5, -7, 2.5f };

__attribute__((noinline)) int look(struct rec *r, int k, enum color c)
{
	out = r->i + k + c + counter;
	r->in.x = 50;
	return out;
}

__attribute__((noinline)) void report(int result, struct rec *r, float f)
{
	out = result + r->i + (int)f;
}

int main(void)
{
	int result = look(&first, 3, GREEN);

	report(result, &first, 1.5f);
	return result != 1056;
}
