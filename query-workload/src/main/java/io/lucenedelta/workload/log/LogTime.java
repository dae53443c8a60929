// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.time.DateTimeException;
import java.time.LocalDate;

/**
 * Times as logs write them, to the second: ISO 8601 with {@code T} or a blank, with or without a
 * fraction, with {@code Z}, an offset or nothing (taken as UTC); seconds or milliseconds since
 * 1970; {@code 10/Oct/2000:13:55:36 -0700} as web servers do.
 */
final class LogTime {
  /** Not a time. */
  static final long NONE = LogEntry.NO_TIME;

  private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";
  private static final long MILLIS_FROM = 100_000_000_000L;

  private LogTime() {}

  static long epochSecond(String text) {
    return epochSecond(text, 0, text.length());
  }

  /** The time in {@code [from, to)} of a line. */
  static long epochSecond(String line, int from, int to) {
    int length = to - from;
    if (length >= 10 && line.charAt(from + 4) == '-' && line.charAt(from + 7) == '-') {
      return iso(line, from, to);
    }
    if (length >= 20 && line.charAt(from + 2) == '/' && line.charAt(from + 6) == '/') {
      return webServer(line.substring(from, to), length);
    }
    if (length >= 9 && length <= 13) {
      long number = digits(line, from, to);
      return number < 0 ? NONE : number >= MILLIS_FROM ? number / 1000 : number;
    }
    return NONE;
  }

  private static long iso(String line, int from, int to) {
    long day =
        day(
            digits(line, from, from + 4),
            digits(line, from + 5, from + 7),
            digits(line, from + 8, from + 10));
    if (day == NONE || to - from == 10) {
      return day;
    }
    char separator = line.charAt(from + 10);
    if (to - from < 19 || (separator != 'T' && separator != ' ')) {
      return NONE;
    }
    int zone = from + 19;
    if (zone < to && (line.charAt(zone) == '.' || line.charAt(zone) == ',')) {
      do {
        zone++;
      } while (zone < to && isDigit(line.charAt(zone)));
    }
    return plus(day, clock(line, from + 11), zone(line, zone, to));
  }

  private static long webServer(String text, int length) {
    int month = MONTHS.indexOf(text.substring(3, 6));
    long day =
        month < 0 || month % 3 != 0
            ? NONE
            : day(digits(text, 7, 11), month / 3 + 1, digits(text, 0, 2));
    int zone = length > 20 && text.charAt(20) == ' ' ? 21 : 20;
    return plus(day, clock(text, 12), zone(text, zone, length));
  }

  /** Seconds of midnight. */
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
  private static long clock(String text, int at) {
    if (text.charAt(at + 2) != ':' || text.charAt(at + 5) != ':') {
      return NONE;
    }
    long hours = digits(text, at, at + 2);
    long minutes = digits(text, at + 3, at + 5);
    long seconds = digits(text, at + 6, at + 8);
    boolean exists =
        hours >= 0 && hours < 24 && minutes >= 0 && minutes < 60 && seconds >= 0 && seconds <= 60;
    return exists ? (hours * 60 + minutes) * 60 + seconds : NONE;
  }

  /** Seconds east of UTC. */
  private static long zone(String text, int at, int length) {
    if (at == length || (at == length - 1 && text.charAt(at) == 'Z')) {
      return 0;
    }
    char sign = text.charAt(at);
    int colon = length - at == 6 && text.charAt(at + 3) == ':' ? 1 : 0;
    if ((sign != '+' && sign != '-') || length - at != 5 + colon) {
      return NONE;
    }
    long hours = digits(text, at + 1, at + 3);
    long minutes = digits(text, at + 3 + colon, at + 5 + colon);
    return hours < 0 || minutes < 0 ? NONE : (sign == '+' ? 60 : -60) * (hours * 60 + minutes);
  }

  private static long plus(long day, long clock, long zone) {
    return day == NONE || clock == NONE || zone == NONE ? NONE : day + clock - zone;
  }

  /** The number in {@code [from, to)}, -1 unless all are digits. */
  private static long digits(String text, int from, int to) {
    long number = 0;
    for (int i = from; i < to; i++) {
      if (!isDigit(text.charAt(i))) {
        return -1;
      }
      number = number * 10 + (text.charAt(i) - '0');
    }
    return number;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
