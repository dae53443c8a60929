// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import com.github.luben.zstd.ZstdInputStream;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
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

  static InputStream unpack(InputStream raw) throws IOException {
    InputStream in = new BufferedInputStream(raw, BUFFER);
    if (begins(in, GZIP)) {
      return utf8(new GzipMembers(in));
    }
    if (begins(in, ZSTD)) {
      return utf8(new ZstdInputStream(in));
    }
    if (begins(in, BZIP2)) {
      return utf8(new BZip2CompressorInputStream(in, true));
    }
    return utf8(in);
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
