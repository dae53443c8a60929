// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reading bytes gives what reading text gives, to the last count and sample. */
class ByteReadingTest {
  private static final int INPUTS = 4_000;

  @Test
  void everyFixtureReadsAlike() throws IOException {
    try (Stream<Path> fixtures = Files.list(Path.of("src/test/resources/logs"))) {
      for (Path fixture : fixtures.sorted().toList()) {
        byte[] log = Files.readAllBytes(fixture);
        for (ByteReading reading : ByteReading.all()) {
          assertThat(reading.difference(log)).as("%s", fixture).isEmpty();
        }
      }
    }
  }

  @Test
  void brokenLinesReadAlike() throws IOException {
    long seed = System.nanoTime();
    LogFuzz fuzz = new LogFuzz(seed, LogFuzz.fixtureLines());
    List<ByteReading> readings = ByteReading.all();
    for (int i = 0; i < INPUTS; i++) {
      byte[] input = fuzz.next();
      String difference = readings.get(i % readings.size()).difference(input);
      assertThat(difference).as("seed %d, input %d", seed, i).isEmpty();
    }
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "2001-09-28T10:00:00Z\ts1\t garden pond \t0",
        "2001-09-28T10:00:00Z\ts1\t\u3000garden\u2003\t0",
        "2001-09-28T10:00:00Z\ts1\t\u00a0garden\u00a0\t0",
        "2001-09-28T10:00:00Z\ts1\t\u3000 \u3000\t0",
        "2001-09-28T10:00:00Z\ts1\t\u0085\u001c\u001f\t0",
        "2001-09-28T10:00:00Z\ts1\tpond \u0085\t0",
        "2001-09-28T10:00:00Z\ts1\tgärten\t10",
        " 2001-09-28T10:00:00Z \t s1\t pond\t 0",
        " \t \t \tx ",
        "(not set)\t3",
        " (other) \t3",
        "2001-09-28T10:00:00Z\ts1\t(not set)\t0",
        "2001-09-28T10:00:00Z\ts1\t😀\t- ",
        "2001-09-28T10:00:00Z\ts1\tpond\té",
        "2001-09-28T10:00:00é\ts1\tpond\t0",
        "2001-09-28T10:00:00Z\ts1\tpond\t٣",
        "2001-09-28T10:00:00Z\ts1\tpond\t0\t",
        "\t\t\tx",
        "\t\t\té",
      })
  void oddLinesFollowThePlainRules(String line) {
    for (ByteReading reading : ByteReading.all()) {
      assertThat(reading.differenceFromPlainRules(line)).isEmpty();
      assertThat(reading.differenceFromPlainRules(line.replace('\t', ','))).isEmpty();
    }
  }

  @Test
  void quotesFollowThePlainRules() {
    for (String line :
        List.of(
            "\"say \"\"pond\"\"\",3",
            "\"\",1",
            "\"",
            "\"\"\"",
            "\"a,b\",\"2\"",
            "\"a\"b,1",
            "a\"b,1",
            "ab\",1",
            "a \"b\",1",
            "1,ab\"",
            "é\"\"b\"\"\",1",
            "\"é\"\"ü\",1",
            "\"a\nb")) {
      for (ByteReading reading : ByteReading.all()) {
        String oneLine = line.replace('\n', ' ');
        assertThat(reading.differenceFromPlainRules(oneLine)).as(oneLine).isEmpty();
      }
    }
  }

  @Test
  void theLengthOfATextCountsCharactersNotBytes() {
    for (String text :
        List.of("é".repeat(2048), "😀".repeat(1024), "é".repeat(2049), "a".repeat(2049))) {
      for (ByteReading reading : ByteReading.all()) {
        assertThat(reading.differenceFromPlainRules(text + ",1")).isEmpty();
        assertThat(reading.difference((text + "\t1\n").getBytes(StandardCharsets.UTF_8))).isEmpty();
      }
    }
  }

  @Test
  void otherCharsetsReadAlike() {
    String log =
        "2001-09-28T10:00:00Z\ts1\tcafé münchen\t0\r2001-09-28\tß\t\ufffd\t0\r\n\0\t\n \t \n";
    for (String charset : List.of("windows-1252", "UTF-8", "UTF-16LE", "Shift_JIS")) {
      byte[] bytes = log.getBytes(Charset.forName(charset));
      for (ByteReading reading : ByteReading.all()) {
        assertThat(reading.difference(bytes)).as(charset).isEmpty();
      }
    }
  }
}
