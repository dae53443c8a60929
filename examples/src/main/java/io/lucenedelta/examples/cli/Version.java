// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

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
}
