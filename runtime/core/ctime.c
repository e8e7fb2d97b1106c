/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Seconds since 1970 as a date, in UTC.
 */
#include "core.h"

#define DAY 86400
/* 1 January of the year 0 and of the year 10000: four digits hold what lies between. */
#define FIRST (-62167219200ll)
#define BEYOND 253402300800ll

static void put_padded(struct sp_text *t, sp_u64 v, unsigned width, char fill)
{
	char buffer[24], *end = buffer + sizeof(buffer), *start = sp_digits(end, v, 10, 0);

	sp_text_fill(t, fill, (sp_i64)width - (end - start));
	sp_text_put(t, start, end - start);
}

/*
 * Days since 1970 to year, month (0: January) and day.  Years are taken to begin in March, so that the leap day is a
 * year's last; 400 such years have 146097 days, and 153 days make five months from March on.
 */
static void date_of(sp_i64 days, sp_i64 *year, unsigned *month, unsigned *day)
{
	sp_u64 since = days + 719468;		/* from 1 March of the year 0; the caller's days reach back to 1 January */
	sp_u64 era, of_era, of_year, y, m;

	since += 146097;			/* one more era, so that January and February of year 0 are not negative */
	era = since / 146097;
	of_era = since % 146097;
	y = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
	of_year = of_era - (365 * y + y / 4 - y / 100);
	m = (5 * of_year + 2) / 153;
	*day = of_year - (153 * m + 2) / 5 + 1;
	*month = m < 10 ? m + 2 : m - 10;
	*year = (sp_i64)(y + era * 400) - 400 + (m >= 10);
}

struct sp_str sp_ctime(struct sp_ctx *c, sp_i64 seconds)
{
	static const char days[] = "ThuFriSatSunMonTueWed";
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	sp_i64 since, year, day_number;
	unsigned month, day, second;
	struct sp_text t;

	if (seconds < FIRST || seconds >= BEYOND) {
		sp_error(c, seconds > 0 ? "Time too far in the future to be converted" :
					  "Time too far in the past to be converted");
		return SP_EMPTY;
	}
	since = seconds - FIRST;
	second = since % DAY;
	day_number = since / DAY + FIRST / DAY;
	date_of(day_number, &year, &month, &day);
	sp_text_arena(&t, c);
	sp_text_put(&t, days + 3 * ((day_number + 7 * 110000) % 7), 3);
	sp_text_puts(&t, " ");
	sp_text_put(&t, months + 3 * month, 3);
	put_padded(&t, day, 3, ' ');
	sp_text_puts(&t, " ");
	put_padded(&t, second / 3600, 2, '0');
	sp_text_puts(&t, ":");
	put_padded(&t, second / 60 % 60, 2, '0');
	sp_text_puts(&t, ":");
	put_padded(&t, second % 60, 2, '0');
	sp_text_puts(&t, " ");
	put_padded(&t, year, 4, '0');
	return sp_text_end(&t);
}
