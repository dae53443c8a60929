// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.Test;

class IncompleteBatchTest {
  private final SyncedFiles files = new SyncedFiles();
  private final List<String> troubles = new ArrayList<>();

  private byte[] bytes() throws IOException {
    try (IndexInput in = files.openInput("incomplete_7", IOContext.READONCE)) {
      byte[] bytes = new byte[(int) in.length()];
      in.readBytes(bytes, 0, bytes.length);
      return bytes;
    }
  }

  private void replace(byte[] bytes) throws IOException {
    files.deleteFile("incomplete_7");
    try (IndexOutput out = files.createOutput("incomplete_7", IOContext.DEFAULT)) {
      out.writeBytes(bytes, bytes.length);
    }
  }

  @Test
  void whatIsWrittenIsDurableAndReadAgain() throws IOException {
    IncompleteBatch lacks = new IncompleteBatch(300, "no space is left");
    lacks.write(files, 7);
    assertThat(files.synced).containsExactly("incomplete_7");
    assertThat(IncompleteBatch.read(files, 7, new Troubles(troubles))).isEqualTo(lacks);
    assertThat(lacks.why()).isEqualTo("no space is left");
    assertThat(IncompleteBatch.read(files, 6, new Troubles(troubles)))
        .isEqualTo(IncompleteBatch.NONE);
    assertThat(IncompleteBatch.NONE.why()).isNull();
    assertThat(troubles).isEmpty();
  }

  @Test
  void ofADamagedOneItIsKnownThatSomethingIsMissing() throws IOException {
    new IncompleteBatch(300, "").write(files, 7);
    byte[] whole = bytes();
    for (int at = 0; at < whole.length; at++) {
      byte[] damaged = whole.clone();
      damaged[at] ^= 1;
      replace(damaged);
      requireDamage("byte " + at);
      replace(Arrays.copyOf(whole, at));
      requireDamage("cut to " + at);
    }
  }

  private void requireDamage(String what) throws IOException {
    assertThat(IncompleteBatch.read(files, 7, new Troubles(troubles)))
        .as(what)
        .isEqualTo(
            new IncompleteBatch(0, "not all of batch 7 was measured, and incomplete_7 is damaged"));
    assertThat(troubles)
        .as(what)
        .singleElement()
        .asString()
        .startsWith("not all of batch 7 was measured, and incomplete_7 is damaged");
    troubles.clear();
  }
}
