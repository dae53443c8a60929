// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import java.util.Locale;
import picocli.CommandLine.IVersionProvider;

/** The versions of this program, Lucene and the JVM. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    String built = Main.class.getPackage().getImplementationVersion();
    return new String[] {
      "lucene-delta " + (built == null ? "(not from a jar)" : built),
      "Lucene " + org.apache.lucene.util.Version.LATEST,
      "Java " + Runtime.version()
    };
  }

  /** The versions and the machine that a measurement or a replay was made with, as a sentence. */
  static String sentence() {
    return String.format(
        Locale.ENGLISH,
        "Java %s, Lucene %s, %d processors, %s %s.",
        Runtime.version(),
        org.apache.lucene.util.Version.LATEST,
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("os.name"),
        System.getProperty("os.arch"));
  }
}
