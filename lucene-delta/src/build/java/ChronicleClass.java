// SPDX-License-Identifier: Apache-2.0

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import javax.tools.ToolProvider;
import net.openhft.chronicle.values.Values;

/**
 * Compiles, while the project is built, the class that Chronicle Map otherwise writes and compiles
 * when the first map of a process is opened: {@code ChronicleClass.java CLASSES}. It looks for the
 * class first. At that later time it can only be compiled where all jars are on {@code
 * java.class.path}, which they are not in the jar of a Spring Boot application or in a servlet
 * container, and where the default locale spells Java source as it is; and it takes a second.
 */
public final class ChronicleClass {
  private static final String TYPE = "net.openhft.chronicle.hash.VanillaGlobalMutableState";

  private ChronicleClass() {}

  /** Puts the class into the folder. */
  public static void main(String[] arguments) throws ReflectiveOperationException, IOException {
    Locale.setDefault(Locale.ROOT); // by which numbers and names are written
    // that of an earlier build, or none is made
    Files.deleteIfExists(Path.of(arguments[0], TYPE.replace('.', '/') + "$$Native.class"));
    Path sources = Files.createTempDirectory("chronicle");
    Path file = sources.resolve("VanillaGlobalMutableState$$Native.java");
    Files.writeString(file, source());
    int failed =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-proc:none",
                "-nowarn",
                "--release", // of Maven's own JVM, which runs this
                "17",
                "-cp",
                System.getProperty("java.class.path"),
                "-d",
                arguments[0],
                file.toString());
    Files.delete(file);
    Files.delete(sources);
    if (failed != 0) {
      throw new IllegalStateException("what Chronicle Values wrote for " + TYPE + " is no Java");
    }
  }

  /** What Chronicle Values prints while it makes the class for itself; warnings are not wanted. */
  private static String source() throws ReflectiveOperationException {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream out = System.out;
    PrintStream err = System.err;
    System.setProperty("chronicle.values.dumpCode", "true");
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    System.setErr(new PrintStream(OutputStream.nullOutputStream()));
    try {
      Values.nativeClassFor(Class.forName(TYPE));
    } finally {
      System.setOut(out);
      System.setErr(err);
    }
    String text = printed.toString(StandardCharsets.UTF_8);
    return text.substring(text.indexOf("package "));
  }
}
