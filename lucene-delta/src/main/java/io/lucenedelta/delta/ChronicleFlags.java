// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.util.List;
import java.util.StringJoiner;

/** Checks that the JVM lets Chronicle Map do what it does, before it fails obscurely. */
final class ChronicleFlags {
  /** Made by the build, not compiled at run time; an editor may have left it out. */
  private static final String COMPILED =
      "/net/openhft/chronicle/hash/VanillaGlobalMutableState$$Native.class";

  private static final List<String> MODULES =
      List.of("jdk.compiler", "jdk.unsupported", "java.management", "java.naming");

  private ChronicleFlags() {}

  /**
   * Checks modules and flags.
   *
   * @throws IllegalStateException with the line to add, if one is missing
   */
  static void require() {
    List<String> lacking =
        MODULES.stream().filter(name -> ModuleLayer.boot().findModule(name).isEmpty()).toList();
    if (!lacking.isEmpty()) {
      throw new IllegalStateException(
          "the page store needs a whole JDK, this runtime lacks %s: %s"
              .formatted(String.join(", ", lacking), System.getProperty("java.home")));
    }
    Module base = Object.class.getModule();
    Module compiler = ModuleLayer.boot().findModule("jdk.compiler").orElseThrow();
    Module chronicle = PageStore.chronicle();
    StringJoiner missing = new StringJoiner(" ");
    for (String opened : new String[] {"java.lang", "java.lang.reflect", "sun.nio.ch"}) {
      if (!base.isOpen(opened, chronicle)) {
        missing.add("--add-opens=java.base/" + opened + "=ALL-UNNAMED");
      }
    }
    if (ChronicleFlags.class.getResource(COMPILED) == null
        && !compiler.isExported("com.sun.tools.javac.file", chronicle)) {
      missing.add("--add-exports=jdk.compiler/com.sun.tools.javac.file=ALL-UNNAMED");
    }
    if (PageStore.isMemoryDenied()) {
      missing.add("--sun-misc-unsafe-memory-access=allow");
    }
    if (missing.length() > 0) {
      throw new IllegalStateException(
          "the JVM lacks flags that the page store needs; add to its command line: " + missing);
    }
  }
}
