// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.IntBuffer;
import java.nio.channels.FileChannel;
import java.util.zip.CRC32C;

/** Writes sections one after the other as {@link WorkloadFile} lays them out, and sums them up. */
final class SectionWriter {
  private static final int CHUNK = 1 << 16;

  private final FileChannel channel;
  private final CRC32C checksum;
  private final ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK).order(ByteOrder.LITTLE_ENDIAN);

  SectionWriter(FileChannel channel, CRC32C checksum) {
    this.channel = channel;
    this.checksum = checksum;
  }

  void write(WorkloadSections sections) throws IOException {
    doubles(sections.frequency());
    ints(sections.terms().start());
    ints(sections.queryStart());
    ints(sections.queryTerms());
    bytes(sections.terms().bytes());
    bytes(sections.asked());
  }

  private void doubles(DoubleBuffer values) throws IOException {
    for (int at = 0; at < values.limit(); at += CHUNK / Double.BYTES) {
      int count = Math.min(CHUNK / Double.BYTES, values.limit() - at);
      chunk.clear().asDoubleBuffer().put(0, values, at, count);
      drain(count * Double.BYTES);
    }
  }

  private void ints(IntBuffer values) throws IOException {
    for (int at = 0; at < values.limit(); at += CHUNK / Integer.BYTES) {
      int count = Math.min(CHUNK / Integer.BYTES, values.limit() - at);
      chunk.clear().asIntBuffer().put(0, values, at, count);
      drain(count * Integer.BYTES);
    }
  }

  private void bytes(ByteBuffer values) throws IOException {
    for (long at = 0; at < values.limit(); at += CHUNK) { // which may go beyond an int
      int count = (int) Math.min(CHUNK, values.limit() - at);
      chunk.clear().put(0, values, (int) at, count);
      drain(count);
    }
  }

  private void drain(int bytes) throws IOException {
    chunk.position(0).limit(bytes);
    checksum.update(chunk);
    chunk.position(0);
    while (chunk.hasRemaining()) {
      channel.write(chunk);
    }
  }
}
