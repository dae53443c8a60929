// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.workload.Workload;
import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;

/**
 * Opens a writer, the first of its process: {@code FOLDER [CLASSPATH]}. With a class path by a
 * class loader of its own, as servers do and applications in one jar.
 */
public final class OpeningProgram {
  private OpeningProgram() {}

  /** Ends with status 1 if the writer cannot be opened. */
  public static void main(String[] arguments) throws ReflectiveOperationException, IOException {
    if (arguments.length == 1) {
      Opening.open(Path.of(arguments[0]));
      return;
    }
    URL[] urls =
        Arrays.stream(arguments[1].split(File.pathSeparator))
            .map(OpeningProgram::url)
            .toArray(URL[]::new);
    try (URLClassLoader own = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
      own.loadClass(OpeningProgram.class.getName())
          .getMethod("main", String[].class)
          .invoke(null, (Object) new String[] {arguments[0]});
    }
  }

  private static URL url(String place) {
    try {
      return Path.of(place).toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException(place, e);
    }
  }

  /** Apart, since whoever only loads this program knows no Lucene. */
  private static final class Opening {
    static void open(Path folder) throws IOException {
      DeltaConfig config =
          DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 1).build())
              .keyField("url")
              .scoredField("body")
              .statePath(folder)
              .build();
      try (Directory index = new ByteBuffersDirectory();
          DeltaIndexWriter writer =
              new DeltaIndexWriter(
                  index, new IndexWriterConfig(new WhitespaceAnalyzer()), config)) {
        writer.commit();
      }
    }
  }
}
