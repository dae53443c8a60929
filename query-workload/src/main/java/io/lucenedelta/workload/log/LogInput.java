// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import com.github.luben.zstd.ZstdInputStream;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;
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
      return utf8(buffered(new GZIPInputStream(in, BUFFER)));
    }
    if (begins(in, ZSTD)) {
      return utf8(buffered(new ZstdInputStream(in)));
    }
    if (begins(in, BZIP2)) {
      return utf8(buffered(new BZip2CompressorInputStream(in, true)));
    }
    return utf8(in);
  }

  private static InputStream buffered(InputStream unpacked) {
    return new BufferedInputStream(unpacked, BUFFER);
  }

  private static InputStream utf8(InputStream in) throws IOException {
    if (begins(in, UTF16_BIG)) {
      return recoded(in, StandardCharsets.UTF_16BE);
    }
    if (begins(in, UTF16_LITTLE)) {
      return recoded(in, StandardCharsets.UTF_16LE);
    }
    if (begins(in, UTF8_MARK)) {
      in.skipNBytes(UTF8_MARK.length);
    }
    return in;
  }

  private static InputStream recoded(InputStream in, Charset charset) throws IOException {
    in.skipNBytes(UTF16_BIG.length);
    return new Utf8Recoding(in, charset);
  }

  private static boolean begins(InputStream in, int[] magic) throws IOException {
    in.mark(magic.length);
    boolean same = true;
    for (int i = 0; same && i < magic.length; i++) {
      same = in.read() == magic[i];
    }
    in.reset();
    return same;
  }
}
