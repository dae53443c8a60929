// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import io.lucenedelta.examples.OneLine;
import io.lucenedelta.examples.Reason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.util.ThreadInterruptedException;

/** Says what went wrong in one line. */
final class Failures {
  private static final Pattern BLANKS = Pattern.compile("[\\s\\x85\\u2028\\u2029]++");
  private static final Pattern LINE_END = Pattern.compile("\\R");

  /** What Linux and macOS say, of quotas too, and Windows. */
  private static final Pattern FULL =
      Pattern.compile("No space left on device|quota exceeded|not enough space on the disk");

  /** As the JVM says how many bytes outside the heap it may take. */
  private static final Pattern LIMIT = Pattern.compile("limit: (\\d{1,18})\\b");

  private Failures() {}

  /**
   * The sentence for a failure: its own message where it was written for people, else the kind of
   * failure with what the system says. Quoted bytes cannot reach the terminal as commands.
   */
  static String sentence(Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof UncheckedIOException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return OneLine.of(withoutBreaks(sentenceOf(cause)));
  }

  /** A sentence with the reason behind it, which it may end with already. */
  static String because(String sentence, Throwable cause) {
    String why = sentence(cause);
    String said = cause.getMessage();
    if (said == null || !sentence.endsWith(said)) {
      return OneLine.of(sentence) + ": " + why;
    }
    return OneLine.of(sentence.substring(0, sentence.length() - said.length())) + why;
  }

  /**
   * Line ends with the blanks around them: in one pass, since a message may quote a line of any
   * length.
   */
  private static String withoutBreaks(String message) {
    return BLANKS
        .matcher(message)
        .replaceAll(blanks -> LINE_END.matcher(blanks.group()).find() ? " " : blanks.group());
  }

  private static String sentenceOf(Throwable cause) {
    String message = cause.getMessage();
    boolean ours = cause.getClass().getName().startsWith("io.lucenedelta.");
    if (cause instanceof NoSuchFileException missing && missing.getReason() == null) {
      return Reason.of(missing) + ": check the path";
    }
    if (cause instanceof AccessDeniedException) {
      return Reason.of(cause);
    }
    if (cause instanceof FileAlreadyExistsException) {
      return message + " is in the way: name another place";
    }
    if (cause instanceof IOException && message != null && FULL.matcher(message).find()) {
      return message + ": free space there, or write elsewhere"; // of a file system's: its file
    }
    if (isInterrupt(cause)) {
      return interrupted(cause);
    }
    if (cause instanceof OutOfMemoryError) {
      return notEnough(message, Runtime.getRuntime().maxMemory());
    }
    if (isWithoutLibrary(cause)) {
      return "a library of machine code cannot be loaded (%s): if it was unpacked where nothing may be run, name another folder by adding -Djava.io.tmpdir=DIR to LUCENE_DELTA_JVM_OPTS"
          .formatted(cause.getCause() == null ? message : cause.getCause().getMessage());
    }
    if (cause instanceof IOException
        && cause.getCause() instanceof OutOfMemoryError unmapped
        && Objects.equals(message, unmapped.getMessage())) {
      return sentenceOf(unmapped);
    }
    // Lucene's writer tells by these that it broke; what broke it stands behind
    if (cause instanceof IllegalStateException
        && message != null
        && cause.getCause() != null
        && !isInterrupt(cause.getCause())) { // by which nothing breaks
      return because(message, cause.getCause());
    }
    if (message != null && (ours || cause instanceof IOException || isArgument(cause))) {
      return message;
    }
    return "unexpected "
        + cause.getClass().getSimpleName()
        + (message == null ? "" : ": " + message)
        + "; run again with --debug and report it";
  }

  /** The JVM tells of the second use of such a class by another kind of error than of the first. */
  private static boolean isWithoutLibrary(Throwable cause) {
    return cause instanceof UnsatisfiedLinkError
        || (cause instanceof NoClassDefFoundError
            && String.valueOf(cause.getCause()).contains("UnsatisfiedLinkError"));
  }

  private static boolean isInterrupt(Throwable cause) {
    return cause instanceof InterruptedException
        || cause instanceof ThreadInterruptedException
        || cause instanceof ClosedByInterruptException;
  }

  /** Somebody wanted it, so there is nothing to report; mostly the message says what it ended. */
  private static String interrupted(Throwable cause) {
    Throwable first = cause instanceof ThreadInterruptedException ? cause.getCause() : cause;
    return first == null || first.getMessage() == null
        ? "interrupted before it was done: run it again"
        : first.getMessage();
  }

  /**
   * Says what ran out, by what the JVM says, and how to have more. It asks for twice the memory
   * that there was, and for no less than 4 GB; outside the heap a JVM takes as much as inside, if
   * it does not say how much.
   */
  static String notEnough(String message, long most) {
    String said = String.valueOf(message).toLowerCase(Locale.ROOT);
    if (said.contains("thread")) {
      return "no room for another thread (%s): allow more threads or processes, as by ulimit -u"
          .formatted(message);
    }
    if (said.contains("map failed")) {
      return "the system maps no more of files into memory (%s): allow this process more address space, as by ulimit -v, or more mappings, as by the setting vm.max_map_count of Linux"
          .formatted(message);
    }
    if (said.contains("metaspace") || said.contains("class space")) {
      return "not enough memory for classes (%s): take flags that limit it, such as"
              .formatted(message)
          + " -XX:MaxMetaspaceSize, out of LUCENE_DELTA_JVM_OPTS and JAVA_TOOL_OPTIONS";
    }
    if (said.contains("direct buffer memory")) {
      Matcher limit = LIMIT.matcher(said);
      long outside = limit.find() ? Long.parseLong(limit.group(1)) : most;
      return "not enough memory outside the heap (%s)%s"
          .formatted(message, more("-XX:MaxDirectMemorySize=", outside));
    }
    return String.format(
        Locale.ROOT, // a JVM takes no other digits
        "not enough memory (%s, the heap may take %d MB)%s",
        message,
        most >> 20,
        more("-Xmx", most));
  }

  private static String more(String option, long most) {
    long gigabytes = Math.max(4, ((most >> 20) * 2 + 1023) / 1024);
    return String.format(
        Locale.ROOT,
        ": give more, by adding %s%dg, say, to LUCENE_DELTA_JVM_OPTS",
        option,
        gigabytes);
  }

  private static boolean isArgument(Throwable cause) {
    return cause instanceof IllegalArgumentException || cause instanceof IllegalStateException;
  }
}
