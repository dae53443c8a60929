// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.util.StringJoiner;

/** Checks that the JVM lets Chronicle Map do what it does, before it fails obscurely. */
final class ChronicleFlags {
  private ChronicleFlags() {}

  /**
   * Checks the flags.
   *
   * @throws IllegalStateException with the line to add, if one is missing
   */
  static void require() {
    StringJoiner missing = new StringJoiner(" ");
    Module base = Object.class.getModule();
    Module self = ChronicleFlags.class.getModule();
    for (String opened : new String[] {"java.lang", "java.lang.reflect", "sun.nio.ch"}) {
      if (!base.isOpen(opened, self)) {
        missing.add("--add-opens=java.base/" + opened + "=ALL-UNNAMED");
      }
    }
    Module compiler = ModuleLayer.boot().findModule("jdk.compiler").orElse(null);
    if (compiler == null) {
      throw new IllegalStateException(
          "the page store needs a full JDK (module jdk.compiler), this is a runtime only: "
              + System.getProperty("java.home"));
    }
    if (!compiler.isExported("com.sun.tools.javac.file", self)) {
      missing.add("--add-exports=jdk.compiler/com.sun.tools.javac.file=ALL-UNNAMED");
    }
    if (missing.length() > 0) {
      throw new IllegalStateException(
          "the JVM lacks flags that the page store needs; add to its command line: " + missing);
    }
  }
}
