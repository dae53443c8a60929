// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LogTimeTest {
  @ParameterizedTest(name = "{0} is second {1}")
  @CsvSource({
    "2001-09-09T01:46:40Z, 1000000000",
    "2001-09-09 01:46:40, 1000000000",
    "2001-09-09T03:46:40+02:00, 1000000000",
    "2001-09-08T18:46:40.123-0700, 1000000000",
    "2001-09-09T07:16:40+05:30, 1000000000",
    "2001-09-09 03:46:40+02, 1000000000",
    "2001-09-08 18:46:40.123-07, 1000000000",
    "2001-09-08T22:16:40-0330, 1000000000",
    "2001-09-08T18:46:40.123-07:00, 1000000000",
    "2001-09-09T00:00:00Z, 999993600",
    "'2001-09-09T01:46:40,123Z', 1000000000",
    "2001-09-09, 999993600",
    "2000-01-01, 946684800",
    "1999-12-31, 946598400",
    "1969-12-31T23:59:59Z, -1",
    "2016-12-31T23:59:60Z, 1483228800",
    "999999999, 999999999",
    "100000000000, 100000000",
    "1000000000, 1000000000",
    "1000000000123, 1000000000",
    "1000000000.123, 1000000000",
    "1000000000.999999999, 1000000000",
    "999999999.5, 999999999",
    "20010909014640.5, -9223372036854775808",
    "1000000000., -9223372036854775808",
    "1000000000.x, -9223372036854775808",
    "100000000.000, 100000000",
    "12345678.123, -9223372036854775808",
    "09/Sep/2001:01:46:40 +0000, 1000000000",
    "08/Sep/2001:18:46:40 -0700, 1000000000",
    "10/Oct/2000:13:55:36, 971186136",
    "10/Oct/2000:15:55:36+0200, 971186136",
    "10/Dec/2000:13:55:36 +0000, 976456536",
    "01/Jan/2001:00:00:00 +0000, 978307200",
    "2001-09-09T01:46Z, 999999960",
    "2001-09-09T01:46, 999999960",
    "2001-09-09T03:46+02:00, 999999960",
    "2001-09-09T01:46:40 UTC, 1000000000",
    "2001-09-09 03:46:40 +0200, 1000000000",
    "2001-09-09 03:46:40.123 +02:00, 1000000000",
    "970916105432, 874407272",
    "010909014640, 1000000000",
    "000909014640, 968464000",
    "700101000000, 0",
    "691231235959, 3155759999",
    "20010909014640, 1000000000",
    "999999999999, 999999999",
  })
  void timesAreReadToTheSecond(String text, long second) {
    assertThat(LogTime.epochSecond(text)).isEqualTo(second);
    byte[] line = ("ab" + text + "cd").getBytes(StandardCharsets.UTF_8);
    assertThat(LogTime.epochSecond(line, 2, 2 + text.length())).isEqualTo(second);
    byte[] atTheEnd = Arrays.copyOf(line, line.length - 2);
    assertThat(LogTime.epochSecond(atTheEnd, 2, atTheEnd.length)).isEqualTo(second);
  }

  @ParameterizedTest(name = "{0} is no time")
  @ValueSource(
      strings = {
        "",
        "now",
        "2001-02-30",
        "2001-13-01",
        "2001-09-09T24:00:00Z",
        "2001-09-09T01:60:00Z",
        "2001-09-09T01-46:40Z",
        "2001-09-09T01:46.40Z",
        "2001-09-09X01:46:40Z",
        "2001-09-09T01:46:40+2",
        "2001-09-09T01:46:40 02",
        "2001-09-09T01:46:40+2x",
        "2001-09-09T01:46:40+02x00",
        "2001-09-09T01",
        "2001-09-09T01:46:40  UTC",
        "2001-09-09T01:46:40 GMX",
        "2001-09-09T01:4",
        "2001-09-09T01:46.5",
        "20011309014640",
        "09/Foo/2001:01:46:40 +0000",
        "09/ocA/2001:01:46:40 +0000",
        "09/Sep/2001 01:46:40 +0000",
        "09/Sep/2001:01:46.40 +0000",
        "12345678",
        "12345678901234",
        "1e9000000",
      })
  void whatIsNoTimeIsNone(String text) {
    assertThat(LogTime.epochSecond(text)).isEqualTo(LogTime.NONE);
    byte[] line = ("a session\t" + text).getBytes(StandardCharsets.UTF_8);
    assertThat(LogTime.epochSecond(line, 10, line.length)).isEqualTo(LogTime.NONE);
  }
}
