// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import org.apache.lucene.util.ThreadInterruptedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class FailuresTest {
  private final FileSystemException full =
      new FileSystemException("out/a.tsv", null, "No space left on device");

  @Test
  void wantOfMemoryIsNothingToReport() {
    OutOfMemoryError full = new OutOfMemoryError("Java heap space");
    assertThat(Failures.because("the former ones stay in use", full))
        .isEqualTo(
            "the former ones stay in use: "
                + Failures.notEnough("Java heap space", Runtime.getRuntime().maxMemory()));
  }

  @Test
  void moreMemoryIsAskedForThanThereWas() {
    assertThat(Failures.notEnough("Java heap space", 512L << 20))
        .isEqualTo(
            "not enough memory (Java heap space, the heap may take 512 MB): give more, by adding"
                + " -Xmx4g, say, to LUCENE_DELTA_JVM_OPTS");
    assertThat(Failures.notEnough("Java heap space", 6010L << 20))
        .contains("the heap may take 6010 MB")
        .contains(" -Xmx12g,");
    assertThat(Failures.notEnough("Java heap space", 4096L << 20)).contains(" -Xmx8g,");
  }

  @Test
  void moreHeapIsAskedForOnlyWhereItHelps() {
    for (String heap :
        List.of("GC overhead limit exceeded", "Requested array size exceeds VM limit", "other")) {
      assertThat(Failures.notEnough(heap, 512L << 20))
          .contains("(" + heap + ", the heap may take 512 MB)", " -Xmx4g,");
    }
    String direct = "Cannot reserve 352 bytes of direct buffer memory (allocated: 1, limit: %s)";
    assertThat(Failures.notEnough(direct.formatted(3L << 30), 512L << 20))
        .isEqualTo(
            "not enough memory outside the heap (%s): give more, by adding"
                    .formatted(direct.formatted(3L << 30))
                + " -XX:MaxDirectMemorySize=6g, say, to LUCENE_DELTA_JVM_OPTS");
    assertThat(Failures.notEnough(direct.formatted(2), 4096L << 20)).contains("Size=4g,");
    for (String untold : List.of("unknown", "9".repeat(30))) {
      assertThat(Failures.notEnough(direct.formatted(untold), 4096L << 20)).contains("Size=8g,");
    }
    assertThat(
            Failures.sentence(
                new OutOfMemoryError(
                    "unable to create native thread: possibly out of memory or process/resource"
                        + " limits reached")))
        .startsWith("no room for another thread (unable to create native thread: possibly out of")
        .endsWith("): allow more threads or processes, as by ulimit -u");
    for (String classes : List.of("Metaspace", "Compressed class space")) {
      assertThat(Failures.notEnough(classes, 512L << 20))
          .startsWith("not enough memory for classes (" + classes + "): ")
          .doesNotContain("heap", "-Xmx");
    }
  }

  /** The JDK says it by a kind of its own, and within another. */
  @Test
  void moreHeapIsNotAskedForWhereTheSystemMapsNoMoreOfFiles() {
    OutOfMemoryError unmapped = new OutOfMemoryError("Map failed");
    for (Throwable failure : List.of(unmapped, new IOException("Map failed", unmapped))) {
      assertThat(Failures.sentence(failure))
          .startsWith("the system maps no more of files into memory (Map failed): allow this ")
          .contains("ulimit -v", "vm.max_map_count")
          .doesNotContain("heap", "-X");
    }
    String ours = "rank functions could not be built: " + unmapped;
    assertThat(Failures.sentence(new IOException(ours, unmapped))).isEqualTo(ours);
  }

  @Test
  void aMissingFileIsNamed() {
    assertThat(Failures.sentence(new UncheckedIOException(new NoSuchFileException("a/b"))))
        .isEqualTo("no file a/b: check the path");
  }

  @Test
  void ownMessagesAreKeptOnOneLine() {
    assertThat(Failures.sentence(new CommandFailure("one\n  two"))).isEqualTo("one two");
    assertThat(Failures.sentence(new CommandFailure("one \r\n two  three\u2028 four")))
        .isEqualTo("one two  three four");
  }

  /** At this size going to and fro between the blanks would not end. */
  @Test
  @Timeout(600)
  void aQuotedLineMayHoldBlanksWithoutEnd() {
    String line = "a" + " ".repeat(4_000_000) + "b";
    assertThat(Failures.sentence(new CommandFailure(line))).isEqualTo(line);
  }

  @Test
  void quotedControlCharactersAreHarmless() {
    assertThat(Failures.sentence(new CommandFailure("log: \u001b[2J"))).isEqualTo("log: ?[2J");
    assertThat(Failures.sentence(new CommandFailure("log: \u009b2J"))).isEqualTo("log: ?2J");
    assertThat(Failures.because("page \u009b2J", new CommandFailure("\u009bJ")))
        .isEqualTo("page ?2J: ?J");
    assertThat(Failures.because("page \u009b2J: \u009bJ", new CommandFailure("\u009bJ")))
        .isEqualTo("page ?2J: ?J");
  }

  @Test
  void theSystemsWordsAreKept() {
    assertThat(Failures.sentence(new IOException("Input/output error")))
        .isEqualTo("Input/output error");
  }

  @Test
  void aFullDiskIsToldWithTheFileAndWhatToDo() {
    assertThat(Failures.sentence(new IOException("No space left on device")))
        .isEqualTo("No space left on device: free space there, or write elsewhere");
    assertThat(Failures.sentence(full))
        .isEqualTo("out/a.tsv: No space left on device: free space there, or write elsewhere");
  }

  @Test
  void whatBrokeAWriterIsToldOnce() {
    String told = "out/a.tsv: No space left on device: free space there, or write elsewhere";
    assertThat(
            Failures.sentence(
                new IllegalStateException("this writer hit an unrecoverable error", full)))
        .isEqualTo("this writer hit an unrecoverable error: " + told);
    assertThat(
            Failures.sentence(
                new IllegalStateException("a run failed: " + full.getMessage(), full)))
        .isEqualTo("a run failed: " + told);
    assertThat(Failures.sentence(new IllegalStateException("a run failed", full)))
        .isEqualTo("a run failed: " + told);
    assertThat(Failures.because("not measured: " + full.getMessage(), full))
        .isEqualTo("not measured: " + told);
  }

  @Test
  void anInterruptIsNothingToReport() {
    String again = "interrupted before it was done: run it again";
    InterruptedException bare = new InterruptedException();
    InterruptedException told = new InterruptedException("interrupted while waiting; try again");
    assertThat(Failures.sentence(bare)).isEqualTo(again);
    assertThat(Failures.sentence(new ClosedByInterruptException())).isEqualTo(again);
    assertThat(Failures.sentence(new ThreadInterruptedException(bare))).isEqualTo(again);
    assertThat(Failures.sentence(told)).isEqualTo(told.getMessage());
    assertThat(Failures.sentence(new ThreadInterruptedException(told)))
        .isEqualTo(told.getMessage());
    assertThat(Failures.sentence(new IllegalStateException("stopped; run it again", bare)))
        .isEqualTo("stopped; run it again");
  }

  /** Of the second use of a class that needs one the JVM tells in this way. */
  @Test
  void aLibraryThatCannotBeLoadedIsToldWithWhatToDoHoweverOften() {
    Error first = new UnsatisfiedLinkError("/tmp/libzstd.so: failed to map segment");
    Error second =
        new NoClassDefFoundError("Could not initialize class com.github.luben.zstd.Zstd");
    second.initCause(new ExceptionInInitializerError("Exception " + first + " [in thread]"));
    for (Error failure : List.of(first, second)) {
      assertThat(Failures.sentence(failure))
          .startsWith("a library of machine code cannot be loaded (")
          .contains("/tmp/libzstd.so: failed to map segment")
          .endsWith("name another folder by adding -Djava.io.tmpdir=DIR to LUCENE_DELTA_JVM_OPTS");
    }
    assertThat(Failures.sentence(new NoClassDefFoundError("a/B")))
        .startsWith("unexpected NoClassDefFoundError: a/B");
  }

  @Test
  void whatNobodyForesawIsCalledUnexpected() {
    assertThat(Failures.sentence(new NullPointerException()))
        .isEqualTo("unexpected NullPointerException; run again with --debug and report it");
  }
}
