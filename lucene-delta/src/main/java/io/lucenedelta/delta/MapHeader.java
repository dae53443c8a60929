// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * What a Chronicle Map's file begins with: a text that says how the map is made.
 *
 * <p>Chronicle Map makes an object of every class that the text names, whatever class that is, and
 * so runs what is in it. A map is opened only if its text names what a map made here names.
 */
final class MapHeader {
  /** Behind a hash of eight bytes and a length of four. */
  private static final int TEXT_AT = 12;

  /** Many times what there is. */
  private static final int LONGEST = 1 << 16;

  private static final String CLASSES =
      "net\\.openhft\\.chronicle\\.hash\\.(serialization\\.impl\\."
          + "(StopBitSizeMarshaller|ByteArraySizedReader|ByteArrayDataAccess)"
          + "|impl\\.HashSplitting\\$For(Single|PowerOf2|NonPowerOf2)Segments?)";

  /** A value begins with no letter but as here: it could be the name of a class. */
  private static final String VALUES =
      "(-?[0-9][0-9.E-]*|true|false|\"[0-9][^\"\\n]*\"|!type byte\\[\\]|!" + CLASSES + " \\{)";

  private static final Pattern KNOWN =
      Pattern.compile(
          "!net\\.openhft\\.chronicle\\.map\\.VanillaChronicleMap \\{\\n"
              + "( +([a-zA-Z0-9]+: "
              + VALUES
              + "|\\}),?\\n)++\\}\\n?");

  private MapHeader() {}

  /**
   * Looks at a file before Chronicle Map does, which also waits a minute for a header that is not
   * there, in case another process is still writing it; ours never is.
   *
   * @throws IOException if no map that was made here begins so
   */
  static void require(Path file) throws IOException {
    byte[] start;
    try (InputStream in = Files.newInputStream(file)) {
      start = in.readNBytes(TEXT_AT + LONGEST);
    }
    int length =
        start.length < TEXT_AT
            ? 0
            : ByteBuffer.wrap(start).order(ByteOrder.LITTLE_ENDIAN).getInt(TEXT_AT - Integer.BYTES);
    if (length <= 0 || length > start.length - TEXT_AT) {
      throw new IOException("page store " + file + " has no readable header");
    }
    String text = new String(start, TEXT_AT, length, StandardCharsets.ISO_8859_1);
    if (!KNOWN.matcher(text).matches()) {
      throw new IOException(
          "page store " + file + " has the header of another kind of map; it is not opened");
    }
  }
}
