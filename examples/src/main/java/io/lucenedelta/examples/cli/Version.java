// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import java.util.Locale;
import picocli.CommandLine.IVersionProvider;

/** The versions of this program, Lucene and the JVM. */
final class Version implements IVersionProvider {
  /** The system property by which the launcher tells the commit of a clone. */
  static final String COMMIT = "lucene-delta.commit";

  @Override
  public String[] getVersion() {
    return new String[] {
      program(), "Lucene " + org.apache.lucene.util.Version.LATEST, "Java " + Runtime.version()
    };
  }

  /** The versions and the machine that a measurement or a replay was made with, as a sentence. */
  static String sentence() {
    return String.format(
        Locale.ENGLISH,
        "%s, Java %s, Lucene %s, %d processors, %s %s.",
        program(),
        Runtime.version(),
        org.apache.lucene.util.Version.LATEST,
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("os.name"),
        System.getProperty("os.arch"));
  }

  private static String program() {
    return program(
        Main.class.getPackage().getImplementationVersion(), System.getProperty(COMMIT, ""));
  }

  /**
   * The name of this program with its version.
   *
   * @param built the version of the jar, null outside of one
   * @param commit empty where nobody knows it
   */
  static String program(String built, String commit) {
    return "lucene-delta "
        + (built == null ? "(not from a jar)" : built)
        + (commit.isEmpty() ? "" : " (commit " + commit + ")");
  }
}
