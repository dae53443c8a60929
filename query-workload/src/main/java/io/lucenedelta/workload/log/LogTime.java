// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDate;

/**
 * Times as logs write them, to the second: ISO 8601 with {@code T} or a blank, with or without
 * seconds and a fraction of them, with {@code Z}, {@code UTC}, an offset or nothing (taken as UTC),
 * a blank before them or none; seconds, with or without a fraction, or milliseconds since 1970;
 * {@code yyyyMMddHHmmss} and {@code yyMMddHHmmss}; {@code 10/Oct/2000:13:55:36 -0700} as web
 * servers do.
 *
 * <p>Twelve digits that are a month, a day and a time of day behind a year are taken for these: as
 * milliseconds they lie before September 2001, and one in three hundred is such a date.
 */
final class LogTime {
  /** Not a time. */
  static final long NONE = LogEntry.NO_TIME;

  private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";
  private static final long MILLIS_FROM = 100_000_000_000L;

  private LogTime() {}

  /** The time that a text is; what is not ASCII is in no time. */
  static long epochSecond(String text) {
    byte[] ascii = text.getBytes(StandardCharsets.US_ASCII);
    return epochSecond(ascii, 0, ascii.length);
  }

  /** The time in {@code [from, to)} of a line. */
  static long epochSecond(byte[] line, int from, int to) {
    int length = to - from;
    if (length >= 10 && line[from + 4] == '-' && line[from + 7] == '-') {
      return iso(line, from, to);
    }
    if (length >= 20 && line[from + 2] == '/' && line[from + 6] == '/') {
      return webServer(line, from, to);
    }
    if (length == 12 || length == 14) {
      long compact = compact(line, from, to);
      if (compact != NONE) {
        return compact;
      }
    }
    if (length >= 9 && length <= 13) {
      long number = digits(line, from, to);
      if (number >= 0) {
        return number >= MILLIS_FROM ? number / 1000 : number;
      }
    }
    return secondsAndFraction(line, from, to);
  }

  /** Seconds since 1970 in nine or ten digits, a point and a fraction. */
  private static long secondsAndFraction(byte[] line, int from, int to) {
    int point = from;
    while (point < to && isDigit(line[point])) {
      point++;
    }
    int length = point - from;
    int decimals = to - point - 1;
    return (length == 9 || length == 10)
            && decimals > 0
            && decimals <= 9
            && line[point] == '.'
            && digits(line, point + 1, to) >= 0
        ? digits(line, from, point)
        : NONE;
  }

  /** Digits alone, the year in two or four; in two it is between 1970 and 2069. */
  private static long compact(byte[] line, int from, int to) {
    int clock = to - 6;
    long year = digits(line, from, clock - 4);
    if (clock - from == 6 && year >= 0) {
      year += year < 70 ? 2000 : 1900;
    }
    long day = day(year, digits(line, clock - 4, clock - 2), digits(line, clock - 2, clock));
    long second =
        clock(
            digits(line, clock, clock + 2),
            digits(line, clock + 2, clock + 4),
            digits(line, clock + 4, to));
    return plus(day, second, 0);
  }

  private static long iso(byte[] line, int from, int to) {
    long day =
        day(
            digits(line, from, from + 4),
            digits(line, from + 5, from + 7),
            digits(line, from + 8, from + 10));
    if (day == NONE || to - from == 10) {
      return day;
    }
    byte separator = line[from + 10];
    if (to - from < 16 || (separator != 'T' && separator != ' ')) {
      return NONE;
    }
    boolean hasSeconds = to - from >= 19 && line[from + 16] == ':';
    int zone = from + (hasSeconds ? 19 : 16);
    if (hasSeconds && zone < to && (line[zone] == '.' || line[zone] == ',')) {
      do {
        zone++;
      } while (zone < to && isDigit(line[zone]));
    }
    long clock = hasSeconds ? clock(line, from + 11) : toTheMinute(line, from + 11);
    return plus(day, clock, zone(line, zone < to && line[zone] == ' ' ? zone + 1 : zone, to));
  }

  private static long webServer(byte[] line, int from, int to) {
    int month = month(line, from + 3);
    if (month == 0 || line[from + 11] != ':') {
      return NONE;
    }
    long day = day(digits(line, from + 7, from + 11), month, digits(line, from, from + 2));
    int zone = to > from + 20 && line[from + 20] == ' ' ? from + 21 : from + 20;
    return plus(day, clock(line, from + 12), zone(line, zone, to));
  }

  /** From 1; 0 for none. */
  private static int month(byte[] line, int at) {
    for (int month = 1; month <= 12; month++) {
      int name = 3 * (month - 1);
      if (line[at] == MONTHS.charAt(name)
          && line[at + 1] == MONTHS.charAt(name + 1)
          && line[at + 2] == MONTHS.charAt(name + 2)) {
        return month;
      }
    }
    return 0;
  }

  /** Seconds since 1970 of the day's midnight. */
  private static long day(long year, long month, long day) {
    if (year < 0 || month < 1 || month > 12 || day < 1) {
      return NONE;
    }
    try {
      return LocalDate.of((int) year, (int) month, (int) day).toEpochDay() * 86_400;
    } catch (DateTimeException noSuchDay) {
      return NONE;
    }
  }

  /** Seconds since midnight. */
  private static long clock(byte[] text, int at) {
    if (text[at + 2] != ':' || text[at + 5] != ':') {
      return NONE;
    }
    return clock(
        digits(text, at, at + 2), digits(text, at + 3, at + 5), digits(text, at + 6, at + 8));
  }

  private static long toTheMinute(byte[] text, int at) {
    return text[at + 2] == ':'
        ? clock(digits(text, at, at + 2), digits(text, at + 3, at + 5), 0)
        : NONE;
  }

  private static long clock(long hours, long minutes, long seconds) {
    boolean exists =
        hours >= 0 && hours < 24 && minutes >= 0 && minutes < 60 && seconds >= 0 && seconds <= 60;
    return exists ? (hours * 60 + minutes) * 60 + seconds : NONE;
  }

  /** Seconds east of UTC. */
  private static long zone(byte[] text, int at, int to) {
    if (at == to || (at == to - 1 && text[at] == 'Z')) {
      return 0;
    }
    if (to - at == 3 && text[at] == 'U' && text[at + 1] == 'T' && text[at + 2] == 'C') {
      return 0;
    }
    byte sign = text[at];
    int colon = to - at == 6 && text[at + 3] == ':' ? 1 : 0;
    boolean whole = to - at == 3; // hours, as databases write them
    if ((sign != '+' && sign != '-') || (!whole && to - at != 5 + colon)) {
      return NONE;
    }
    long hours = digits(text, at + 1, at + 3);
    long minutes = whole ? 0 : digits(text, at + 3 + colon, at + 5 + colon);
    return hours < 0 || minutes < 0 ? NONE : (sign == '+' ? 60 : -60) * (hours * 60 + minutes);
  }

  private static long plus(long day, long clock, long zone) {
    return day == NONE || clock == NONE || zone == NONE ? NONE : day + clock - zone;
  }

  /** The number in {@code [from, to)}, -1 unless all are digits. */
  private static long digits(byte[] text, int from, int to) {
    long number = 0;
    for (int i = from; i < to; i++) {
      if (!isDigit(text[i])) {
        return -1;
      }
      number = number * 10 + (text[i] - '0');
    }
    return number;
  }

  private static boolean isDigit(byte c) {
    return c >= '0' && c <= '9';
  }
}
