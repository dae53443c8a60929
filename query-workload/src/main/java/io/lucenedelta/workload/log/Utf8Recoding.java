// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/** Bytes of another charset as bytes of UTF-8. */
final class Utf8Recoding extends InputStream {
  private final Reader reader;
  private final char[] chars = new char[8192];
  private byte[] bytes = {};
  private int position;

  Utf8Recoding(InputStream in, Charset charset) {
    this.reader = new InputStreamReader(in, charset);
  }

  @Override
  public int read() throws IOException {
    return fill() ? bytes[position++] & 0xff : -1;
  }

  @Override
  public int read(byte[] into, int from, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (!fill()) {
      return -1;
    }
    int count = Math.min(length, bytes.length - position);
    System.arraycopy(bytes, position, into, from, count);
    position += count;
    return count;
  }

  private boolean fill() throws IOException {
    while (position == bytes.length) {
      int count = reader.read(chars, 0, chars.length - 1);
      if (count < 0) {
        return false;
      }
      if (Character.isHighSurrogate(chars[count - 1])) {
        int low = reader.read();
        if (low >= 0) {
          chars[count++] = (char) low;
        }
      }
      bytes = new String(chars, 0, count).getBytes(StandardCharsets.UTF_8);
      position = 0;
    }
    return true;
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
