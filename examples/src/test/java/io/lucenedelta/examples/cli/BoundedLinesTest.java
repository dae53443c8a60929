// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BoundedLinesTest {
  @Test
  void linesEndAsTheyDoForJava() throws IOException {
    Random random = new Random(5);
    for (int text = 0; text < 2000; text++) {
      StringBuilder letters = new StringBuilder();
      for (int letter = random.nextInt(40); letter > 0; letter--) {
        letters.append("ab\r\n".charAt(random.nextInt(4)));
      }
      letters.insert(letters.length() / 2, "x".repeat(random.nextInt(3) * 4096));
      String plain = letters.toString();
      List<String> lines = new BufferedReader(new StringReader(plain)).lines().toList();
      assertThat(read(stream(plain))).as(plain).isEqualTo(lines);
    }
  }

  @Test
  void aLineEndMayLieWhereverTheInputIsReadInPieces() throws IOException {
    InputStream pieces =
        new SequenceInputStream(stream("a\r"), new SequenceInputStream(stream("\n"), stream("b")));
    assertThat(read(pieces)).containsExactly("a", "b");
  }

  @Test
  void ofALineThatIsTooLongTheBeginningIsKeptAndTheRestIsPassedOver() throws IOException {
    String longest = "x".repeat(BoundedLines.LONGEST);
    BoundedLines lines = new BoundedLines(stream("a\n" + longest + "yy\n" + longest + "\nb"));
    assertThat(lines.next()).asString(StandardCharsets.US_ASCII).isEqualTo("a");
    assertThat(lines.isTooLong()).isFalse();
    // compared by AssertJ each byte of many becomes an object
    byte[] kept = longest.getBytes(StandardCharsets.US_ASCII);
    assertThat(Arrays.equals(lines.next(), kept)).isTrue();
    assertThat(lines.isTooLong()).isTrue();
    assertThat(Arrays.equals(lines.next(), kept)).isTrue();
    assertThat(lines.isTooLong()).isFalse();
    assertThat(lines.next()).asString(StandardCharsets.US_ASCII).isEqualTo("b");
    assertThat(lines.next()).isNull();
  }

  private static List<String> read(InputStream in) throws IOException {
    List<String> read = new ArrayList<>();
    BoundedLines lines = new BoundedLines(in);
    for (byte[] line = lines.next(); line != null; line = lines.next()) {
      read.add(new String(line, StandardCharsets.UTF_8));
    }
    return read;
  }

  private static InputStream stream(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }
}
