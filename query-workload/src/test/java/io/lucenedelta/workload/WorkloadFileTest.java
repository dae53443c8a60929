// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.abort;

import io.lucenedelta.workload.WorkloadFileException.Problem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.IntBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkloadFileTest {
  @TempDir Path directory;

  @Test
  void aLengthBeyondTheFileIsNoReasonToAskForMemory() {
    IntBuffer starts = IntBuffer.wrap(new int[] {0, Integer.MAX_VALUE - 8});
    ByteBuffer bytes = ByteBuffer.allocate(3);
    SortedTerms terms = new SortedTerms(starts, bytes);
    assertThatThrownBy(() -> terms.term(0)).isInstanceOf(IndexOutOfBoundsException.class);
    WorkloadSections sections =
        new WorkloadSections(DoubleBuffer.allocate(1), terms, starts, starts, bytes, 1);
    assertThatThrownBy(() -> sections.asked(0)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void anOpenedWorkloadEqualsTheOneWritten() throws IOException {
    long seed = 5;
    Workload written = random(new Random(seed), 20_000);
    Workload opened = reopened(written);

    assertThat(opened.totalFrequency()).isEqualTo(written.totalFrequency());
    assertThat(opened.termCount()).isEqualTo(written.termCount());
    assertThat(opened.queryCount()).isEqualTo(written.queryCount());
    for (int query = 0; query < written.queryCount(); query++) {
      assertThat(opened.queryTerms(query)).isEqualTo(written.queryTerms(query));
      assertThat(opened.queryText(query)).isEqualTo(written.queryText(query));
      assertThat(opened.frequency(query)).isEqualTo(written.frequency(query));
    }
    for (int term = 0; term < written.termCount(); term++) {
      assertThat(opened.termNumber(written.term(term))).isEqualTo(term);
    }
  }

  /** As {@link WorkloadFile} documents it, for a file outlives the software that wrote it. */
  @Test
  void everyByteStandsWhereTheFormatSays() throws IOException {
    Workload workload =
        Workload.builder().add(List.of("pond", "garden"), 3).add(List.of("pond"), 5).build();
    Path file = directory.resolve("workload");
    workload.write(file);
    ByteBuffer body = ByteBuffer.allocate(2 * 8 + 3 * 4 + 3 * 4 + 3 * 4 + 10 + 3);
    body.order(ByteOrder.LITTLE_ENDIAN).putDouble(5).putDouble(3);
    for (int number : new int[] {0, 6, 10, /* queries */ 0, 1, 3, /* pairs */ 1, 0, 1}) {
      body.putInt(number);
    }
    body.put("gardenpond".getBytes(StandardCharsets.UTF_8)).put(new byte[] {0, 1, 0});
    ByteBuffer header = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
    header.put(new byte[] {(byte) 0x89, 'L', 'D', 'W', 'K', 'L', 0x0d, 0x0a});
    header.putInt(2).putInt(2).putInt(2).putInt(3).putInt(10).putInt(checksum(body, 65));
    header.putDouble(8).putInt(60, checksum(header, 60));
    assertThat(Files.readAllBytes(file))
        .isEqualTo(ByteBuffer.allocate(64 + 65).put(header.array()).put(body.array()).array());
  }

  private static int checksum(ByteBuffer bytes, int length) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes.array(), 0, length);
    return (int) checksum.getValue();
  }

  /** The terms alone take more than one block of the writer. */
  @Test
  void aWorkloadOfManyBytesOfTermsIsWholeAndUndamaged() throws IOException {
    WorkloadBuilder builder = Workload.builder();
    for (int query = 0; query < 3_000; query++) {
      List<String> terms = new ArrayList<>();
      for (int i = 8; i > 0; i--) {
        terms.add("a term of some length, number " + (query + i));
      }
      builder.add(terms, 1 + query);
    }
    Workload written = builder.build();
    Workload opened = reopened(written);

    opened.checkIntegrity();
    assertThat(opened.queryCount()).isEqualTo(3_000);
    for (int query = 0; query < 3_000; query++) {
      assertThat(opened.queryText(query)).isEqualTo(written.queryText(query));
    }
  }

  @Test
  void theSameWorkloadGivesTheSameBytes() throws IOException {
    Path first = write(random(new Random(7), 1000), "first");
    Path second = write(random(new Random(7), 1000), "second");
    Path rewritten = write(Workload.open(first), "rewritten");

    assertThat(second).hasSameBinaryContentAs(first);
    assertThat(rewritten).hasSameBinaryContentAs(first);
  }

  @Test
  void anEmptyWorkloadSurvives() throws IOException {
    Workload opened = reopened(Workload.builder().build());

    assertThat(opened.queryCount()).isZero();
    assertThat(opened.termNumber("a")).isEqualTo(-1);
    assertThat(opened.singleTerm().queryCount()).isZero();
  }

  @Test
  void writingReplacesTheFileAndLeavesNothingBeside() throws IOException {
    Path file = write(random(new Random(1), 100), "workload");
    Workload before = Workload.open(file);
    write(random(new Random(2), 10), "workload");

    assertThat(Workload.open(file).queryCount()).isLessThanOrEqualTo(10);
    assertThat(before.queryText(before.queryCount() - 1)).isNotEmpty();
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).containsExactly(file);
    }
  }

  @Test
  void whereALinkLeadsIsWrittenAndTheLinkStays() throws IOException {
    Path folder = Files.createDirectory(directory.resolve("folder"));
    Path file = folder.resolve("workload");
    Path near = Files.createSymbolicLink(folder.resolve("near"), Path.of("workload"));
    Path far = Files.createSymbolicLink(directory.resolve("far"), Path.of("folder/near"));
    for (int terms : new int[] {3, 5}) {
      Workload workload = random(new Random(terms), terms);
      workload.write(far);

      assertThat(Workload.open(file).queryCount()).isEqualTo(workload.queryCount());
      assertThat(near).isSymbolicLink();
      assertThat(far).isSymbolicLink();
    }
  }

  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void aFileThatIsReplacedKeepsItsPermissions() throws IOException {
    Path file = directory.resolve("workload");
    random(new Random(1), 3).write(file);
    for (String permissions : List.of("rw-------", "rw-rw-rw-", "r--r-----")) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
      Workload workload = random(new Random(1), 5);
      workload.write(file);
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo(permissions);
      assertThat(Workload.open(file).queryCount()).isEqualTo(workload.queryCount());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"unix:gid", "unix:uid"})
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void aFileThatIsReplacedKeepsGroupAndOwnerWhereThisUserMayGiveIt(String attribute)
      throws IOException {
    Path file = write(random(new Random(1), 3), "workload");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    int another = 1 + (int) Files.getAttribute(file, attribute);
    try {
      Files.setAttribute(file, attribute, another);
    } catch (FileSystemException e) {
      abort("this user may not: " + e);
    }
    random(new Random(1), 5).write(file);
    assertThat(Files.getAttribute(file, attribute)).isEqualTo(another);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-r-----");
  }

  @Test
  void whatIsNoFileIsRefusedByName() throws IOException {
    Workload workload = random(new Random(1), 10);
    Path circle = directory.resolve("circle");
    Files.createSymbolicLink(circle, circle);
    Path absent = directory.resolve("absent/workload");

    assertThatThrownBy(() -> workload.write(directory))
        .hasMessageContaining(directory + ": it is a folder");
    assertThatThrownBy(() -> workload.write(circle))
        .hasMessageContaining(circle + ": it is a link that leads in a circle");
    assertThatThrownBy(() -> workload.write(absent))
        .hasMessageContaining(absent + ": there is no folder " + absent.getParent());
    assertThatThrownBy(() -> Workload.open(directory))
        .isInstanceOf(WorkloadFileException.class)
        .hasMessageContaining(directory.toString())
        .hasMessageContaining("a folder is no workload");
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void aPipeIsNotReplaced() throws IOException, InterruptedException {
    Path pipe = directory.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();

    assertThatThrownBy(() -> random(new Random(1), 10).write(pipe))
        .hasMessageContaining(pipe + ": it is a device or a pipe");
    assertThat(Files.readAttributes(pipe, BasicFileAttributes.class).isOther()).isTrue();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aFolderThatTakesNoFilesIsNamedWithTheFileAskedFor() {
    assertThatThrownBy(() -> random(new Random(1), 10).write(Path.of("/proc/workload")))
        .hasMessage(
            "no workload can be written to /proc/workload: no file can be made in /proc; name another folder");
  }

  @Test
  void anotherKindOfFileIsNamedAsSuch() throws IOException {
    Path text = Files.writeString(directory.resolve("log"), "2001-01-01\tabc\tcredit card\t0\n");
    assertThat(problem(text)).isEqualTo(Problem.NOT_A_WORKLOAD);
    assertThat(problem(Files.createFile(directory.resolve("empty"))))
        .isEqualTo(Problem.NOT_A_WORKLOAD);
  }

  @Test
  void anotherVersionIsToldWithBothVersions() throws IOException {
    Path file = write(random(new Random(1), 100), "workload");
    byte[] bytes = Files.readAllBytes(file);
    bytes[8] = 9;
    Files.write(file, bytes);

    assertThat(problem(file)).isEqualTo(Problem.OTHER_VERSION);
    assertThat(failure(file)).hasMessageContaining("version 9").hasMessageContaining("reads 2");
  }

  @Test
  void everyTruncationIsNoticed() throws IOException {
    Path file = write(random(new Random(1), 20), "workload");
    byte[] bytes = Files.readAllBytes(file);
    for (int length = 1; length < bytes.length; length++) {
      Files.write(file, Arrays.copyOf(bytes, length));
      assertThat(problem(file)).as("%d bytes", length).isEqualTo(Problem.TRUNCATED);
    }
  }

  @Test
  void aTruncatedFileOfMoreThanTwoGigabytesTellsHowLongItWas() throws IOException {
    ByteBuffer header = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
    header.put(new byte[] {(byte) 0x89, 'L', 'D', 'W', 'K', 'L', 0x0d, 0x0a});
    int pairs = 600_000_000;
    header.putInt(2).putInt(2).putInt(300_000_000).putInt(pairs).putInt(10);
    header.putInt(60, checksum(header, 60));
    Path file = Files.write(directory.resolve("workload"), header.array());
    long whole = 64 + 8L * 300_000_000 + 4 * 3 + 4L * 300_000_001 + 5L * pairs + 10;
    assertThatThrownBy(() -> Workload.open(file))
        .isInstanceOf(WorkloadFileException.class)
        .hasMessageContaining("workload ends after 64 of " + whole + " bytes");
  }

  @Test
  void aFlippedBitInAnyByteIsNoticed() throws IOException {
    Path file = write(random(new Random(1), 10), "workload");
    byte[] bytes = Files.readAllBytes(file);
    for (int bit = 12 * 8; bit < bytes.length * 8; bit += 7) {
      bytes[bit >> 3] ^= (byte) (1 << (bit & 7));
      Files.write(file, bytes);
      assertThat(problem(file)).as("bit %d", bit).isEqualTo(Problem.CORRUPT);
      bytes[bit >> 3] ^= (byte) (1 << (bit & 7));
    }
  }

  @Test
  void openingReadsNoMoreThanTheHeaderAndCheckingReadsTheRest() throws IOException {
    Path file = write(random(new Random(1), 10), "workload");
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length - 1] ^= 1;
    Files.write(file, bytes);
    Workload opened = Workload.open(file);

    assertThat(opened.queryCount()).isPositive();
    assertThat(catchThrowableOfType(WorkloadFileException.class, opened::checkIntegrity).problem())
        .isEqualTo(Problem.CORRUPT);
    Workload.builder().build().checkIntegrity();
    for (Workload madeOfIt :
        List.of(
            opened.filter(query -> query > 0),
            opened.singleTerm(),
            QuerySelection.of(opened, 0.5, 5).measured())) {
      assertThat(
              catchThrowableOfType(WorkloadFileException.class, madeOfIt::checkIntegrity).problem())
          .isEqualTo(Problem.CORRUPT);
    }
    assertThatThrownBy(() -> opened.write(directory.resolve("copy")))
        .isInstanceOf(WorkloadFileException.class);
    assertThat(directory.resolve("copy")).doesNotExist();
  }

  @Test
  void aCorruptFileIsNotMergedWhereverTheDamageIs() throws IOException {
    Path file = write(random(new Random(1), 10), "workload");
    Workload right = random(new Random(2), 10);
    byte[] bytes = Files.readAllBytes(file);
    for (int at = 64; at < bytes.length; at++) {
      bytes[at] ^= (byte) 0x81;
      Files.write(file, bytes);
      bytes[at] ^= (byte) 0x81;
      Workload damaged = Workload.open(file);
      for (ThrowingCallable merge :
          List.<ThrowingCallable>of(
              () -> damaged.merge(1, right, 0), () -> right.merge(1, damaged, 0))) {
        assertThat(catchThrowableOfType(WorkloadFileException.class, merge).problem())
            .as("byte %d", at)
            .isEqualTo(Problem.CORRUPT);
      }
    }
  }

  @Test
  void bytesBehindTheEndAreCorruption() throws IOException {
    Path file = write(random(new Random(1), 10), "workload");
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(bytes, bytes.length + 1));

    assertThat(problem(file)).isEqualTo(Problem.CORRUPT);
  }

  private Workload reopened(Workload workload) throws IOException {
    return Workload.open(write(workload, "workload"));
  }

  private Path write(Workload workload, String name) throws IOException {
    Path file = directory.resolve(name);
    workload.write(file);
    return file;
  }

  private static WorkloadFileException failure(Path file) {
    return catchThrowableOfType(
        WorkloadFileException.class, () -> Workload.open(file).checkIntegrity());
  }

  private static Problem problem(Path file) {
    return failure(file).problem();
  }

  private static Workload random(Random random, int queries) {
    WorkloadBuilder builder = Workload.builder();
    for (int i = 0; i < queries; i++) {
      List<String> terms =
          random
              .ints(1 + random.nextInt(4), 0, 2000)
              .mapToObj(n -> Integer.toString(n, 36) + (n % 7 == 0 ? "é\ud83d\ude00" : ""))
              .toList();
      builder.add(terms, 1 + random.nextInt(100) / 8.0);
    }
    return builder.build();
  }
}
