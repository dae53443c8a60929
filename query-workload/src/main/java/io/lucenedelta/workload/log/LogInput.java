// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import com.github.luben.zstd.ZstdInputStream;
import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;

/**
 * The text of a log, unpacked: gzip, zstd and bzip2 are told by their first bytes, not by the name,
 * and so is UTF-16, which becomes UTF-8.
 */
final class LogInput {
  private static final int BUFFER = 1 << 16;
  private static final int[] GZIP = {0x1f, 0x8b};
  private static final int[] ZSTD = {0x28, 0xb5, 0x2f, 0xfd};
  private static final int[] BZIP2 = {'B', 'Z', 'h'};
  private static final int[] UTF8_MARK = {0xef, 0xbb, 0xbf};
  private static final int[] UTF16_BIG = {0xfe, 0xff};
  private static final int[] UTF16_LITTLE = {0xff, 0xfe};

  private LogInput() {}

  /** A packing that is not read, the command that undoes it, and its first bytes. */
  private enum Unread {
    XZ("xz -dc", "\u00fd7zXZ\0"),
    LZIP("lzip -dc", "LZIP\1"),
    LZ4("lz4 -dc", "\4\"M\u0018"),
    COMPRESS("gzip -dc", "\u001f\u009d"),
    ZIP("unzip -p", "PK\3\4"),
    SEVEN_ZIP("7z x -so", "7z\u00bc\u00af'\u001c");

    private final String command;
    private final String magic;

    Unread(String command, String magic) {
      this.command = command;
      this.magic = magic;
    }
  }

  /** A stream that who gave it closes, and nobody else. */
  private static final class KeptOpen extends FilterInputStream {
    KeptOpen(InputStream in) {
      super(in);
    }

    @Override
    public void close() {}
  }

  /**
   * The text of a log. Closing it gives back what its decompressor has, and leaves {@code raw}
   * open.
   *
   * @param log what to call it
   * @throws UnknownLogFormatException if it is packed in a way that is not read
   */
  static InputStream unpack(String log, InputStream raw) throws IOException {
    InputStream in = new BufferedInputStream(new KeptOpen(raw), BUFFER);
    for (Unread packing : Unread.values()) {
      if (begins(in, packing.magic.chars().toArray())) {
        String name = packing.name().toLowerCase(Locale.ROOT).replace("seven_zip", "7z");
        throw UnknownLogFormatException.packed(log, name, packing.command);
      }
    }
    InputStream bytes = unpacked(in);
    try {
      return utf8(bytes);
    } catch (Throwable broken) {
      bytes.close(); // of no use to anybody, and a decompressor of zstd has memory of its own
      throw broken;
    }
  }

  private static InputStream unpacked(InputStream in) throws IOException {
    if (begins(in, GZIP)) {
      return new GzipMembers(in);
    }
    if (begins(in, ZSTD)) {
      return new ZstdInputStream(in);
    }
    if (begins(in, BZIP2)) {
      return new BZip2CompressorInputStream(in, true);
    }
    return in;
  }

  /**
   * Looks at the first bytes of the text. No further buffer: one that meets an error keeps what it
   * had read before.
   */
  private static InputStream utf8(InputStream in) throws IOException {
    PushbackInputStream text = new PushbackInputStream(in, UTF8_MARK.length);
    byte[] first = new byte[UTF8_MARK.length];
    int length = text.readNBytes(first, 0, first.length);
    Charset charset =
        begins(first, length, UTF16_BIG)
            ? StandardCharsets.UTF_16BE
            : begins(first, length, UTF16_LITTLE) ? StandardCharsets.UTF_16LE : null;
    int mark = charset != null ? UTF16_BIG.length : begins(first, length, UTF8_MARK) ? length : 0;
    text.unread(first, mark, length - mark);
    return charset == null ? text : new Utf8Recoding(text, charset);
  }

  private static boolean begins(byte[] bytes, int length, int[] magic) {
    boolean same = length >= magic.length;
    for (int i = 0; same && i < magic.length; i++) {
      same = (bytes[i] & 0xff) == magic[i];
    }
    return same;
  }

  private static boolean begins(InputStream in, int[] magic) throws IOException {
    in.mark(magic.length);
    byte[] first = new byte[magic.length];
    int length = in.readNBytes(first, 0, first.length);
    in.reset();
    return begins(first, length, magic);
  }
}
