// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.schedule;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Repeated bisection clustering: the largest cluster that can be cut is cut in two by 2-means until
 * there are enough.
 *
 * <p>Features are scaled to mean 0 and variance 1. Deterministic for a seed and an order of points.
 */
final class Bisection {
  private static final int STEPS = 15;

  private final double[][] points; // by point, scaled
  private final int[] cluster;
  private final Random random;
  private int clusters = 1;

  private Bisection(double[][] points, long seed) {
    this.points = points;
    this.cluster = new int[points.length];
    this.random = new Random(seed);
  }

  /**
   * Clusters points.
   *
   * @param features by feature, then by point
   * @param wanted number of clusters; fewer when points do not differ enough
   */
  static Bisection of(double[][] features, int wanted, long seed) {
    Bisection bisection = new Bisection(scaled(features), seed);
    while (bisection.clusters < wanted && bisection.cutLargest()) {
      bisection.clusters++;
    }
    return bisection;
  }

  private static double[][] scaled(double[][] features) {
    int n = features[0].length;
    double[][] points = new double[n][features.length];
    for (int f = 0; f < features.length; f++) {
      double mean = Arrays.stream(features[f]).average().orElse(0);
      double variance =
          Arrays.stream(features[f]).map(x -> (x - mean) * (x - mean)).average().orElse(0);
      for (int i = 0; i < n; i++) {
        points[i][f] = variance == 0 ? 0 : (features[f][i] - mean) / Math.sqrt(variance);
      }
    }
    return points;
  }

  int clusters() {
    return clusters;
  }

  int cluster(int point) {
    return cluster[point];
  }

  /** Marks the points of each cluster that are nearest to its centroid. */
  boolean[] nearest(int each) {
    boolean[] marked = new boolean[points.length];
    for (int c = 0; c < clusters && points.length > 0; c++) {
      int[] members = members(c);
      double[] centroid = centroid(members);
      Arrays.stream(members)
          .boxed()
          .sorted(Comparator.comparingDouble(i -> distance(points[i], centroid)))
          .limit(each)
          .forEach(i -> marked[i] = true);
    }
    return marked;
  }

  private int[] members(int number) {
    return IntStream.range(0, points.length).filter(i -> cluster[i] == number).toArray();
  }

  /** Cuts the largest cluster whose points differ; false when there is none. */
  private boolean cutLargest() {
    int[] sizes = new int[clusters];
    for (int c : cluster) {
      sizes[c]++;
    }
    return IntStream.range(0, clusters)
        .boxed()
        .sorted(Comparator.comparingInt(c -> -sizes[c])) // stable: the lower number first
        .anyMatch(c -> cut(members(c)));
  }

  /** Cuts a cluster; false when its points do not differ. */
  private boolean cut(int[] members) {
    if (members.length < 2) {
      return false;
    }
    double[] a = points[members[random.nextInt(members.length)]];
    double[] from = a;
    double[] b =
        points[
            Arrays.stream(members)
                .boxed()
                .max(Comparator.comparingDouble(i -> distance(points[i], from)))
                .orElseThrow()];
    for (int step = 0; step < STEPS; step++) {
      double[] first = a;
      double[] second = b;
      int[] left = Arrays.stream(members).filter(i -> nearer(i, first, second)).toArray();
      int[] right = Arrays.stream(members).filter(i -> !nearer(i, first, second)).toArray();
      if (left.length == 0 || right.length == 0) {
        return false;
      }
      a = centroid(left);
      b = centroid(right);
    }
    double[] first = a;
    double[] second = b;
    int[] right = Arrays.stream(members).filter(i -> !nearer(i, first, second)).toArray();
    if (right.length == 0 || right.length == members.length) {
      return false;
    }
    for (int i : right) {
      cluster[i] = clusters;
    }
    return true;
  }

  private boolean nearer(int point, double[] a, double[] b) {
    return distance(points[point], a) <= distance(points[point], b);
  }

  private double[] centroid(int[] members) {
    double[] centroid = new double[points[0].length];
    for (int i : members) {
      for (int f = 0; f < centroid.length; f++) {
        centroid[f] += points[i][f] / members.length;
      }
    }
    return centroid;
  }

  private static double distance(double[] a, double[] b) {
    double sum = 0;
    for (int f = 0; f < a.length; f++) {
      sum += (a[f] - b[f]) * (a[f] - b[f]);
    }
    return sum;
  }
}
