// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.util.Collection;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.FilterIndexOutput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;

/**
 * Counts every step of measuring, named ones and those on files, and lets one of them fail, or all
 * from one on.
 */
final class FaultySteps implements FaultPoints {
  /** How a step fails. */
  enum Kind {
    EXCEPTION,
    OUT_OF_MEMORY,
    /** This step on a file and all later ones, until disarmed. */
    DISK_FULL
  }

  private Kind kind;
  private int failing = -1;
  private int steps;
  private String failed = "";

  /** From now on the step with the given number, counted from 0, fails. */
  synchronized void arm(Kind how, int step) {
    kind = how;
    failing = step;
    steps = 0;
    failed = "";
  }

  synchronized void disarm() {
    failing = -1;
  }

  /** Steps since the last arming. */
  synchronized int steps() {
    return steps;
  }

  /** The step that failed first, empty when none did. */
  synchronized String failed() {
    return failed;
  }

  @Override
  public synchronized void at(String point) {
    if (fails(point, false)) {
      if (kind == Kind.OUT_OF_MEMORY) {
        throw new OutOfMemoryError("injected at " + point);
      }
      throw new IllegalStateException("injected at " + point);
    }
  }

  private synchronized void onFile(String step) throws IOException {
    if (fails(step, true)) {
      if (kind == Kind.OUT_OF_MEMORY) {
        throw new OutOfMemoryError("injected at " + step);
      }
      throw new IOException("injected: no space left on device, " + step);
    }
  }

  private boolean fails(String step, boolean file) {
    int number = steps++;
    boolean now =
        failing >= 0 && (kind == Kind.DISK_FULL ? file && number >= failing : number == failing);
    if (now && failed.isEmpty()) {
      failed = step;
    }
    return now;
  }

  /** The same directory, with steps that can fail. */
  Directory over(Directory directory) {
    return new FilterDirectory(directory) {
      @Override
      public IndexOutput createOutput(String name, IOContext context) throws IOException {
        onFile("create " + name);
        return counting(in.createOutput(name, context));
      }

      @Override
      public IndexOutput createTempOutput(String prefix, String suffix, IOContext context)
          throws IOException {
        onFile("create temporary " + prefix);
        return counting(in.createTempOutput(prefix, suffix, context));
      }

      @Override
      public IndexInput openInput(String name, IOContext context) throws IOException {
        onFile("open " + name);
        return in.openInput(name, context);
      }

      @Override
      public void sync(Collection<String> names) throws IOException {
        onFile("sync " + names);
        in.sync(names);
      }

      @Override
      public void syncMetaData() throws IOException {
        onFile("sync folder");
        in.syncMetaData();
      }

      @Override
      public void rename(String source, String target) throws IOException {
        onFile("rename " + source);
        in.rename(source, target);
      }

      @Override
      public String[] listAll() throws IOException {
        onFile("list files");
        return in.listAll();
      }
    };
  }

  private IndexOutput counting(IndexOutput output) {
    return new FilterIndexOutput("counting", output.getName(), output) {
      private boolean closed;

      @Override
      public void close() throws IOException {
        boolean first = !closed;
        closed = true;
        super.close();
        if (first) {
          onFile("write " + getName());
        }
      }
    };
  }
}
