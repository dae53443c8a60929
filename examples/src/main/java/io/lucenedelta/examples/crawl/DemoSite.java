// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.commons.math3.random.RandomDataGenerator;
import org.apache.commons.math3.random.RandomGenerator;

/**
 * Builds the pages of one site of the demo crawl.
 *
 * <p>Half of the pages are static; the others have a churn region, a scroll region, or both. Update
 * rates are log-uniform between once in half a year and thrice a week. Static text and scrolling
 * items speak of the page's topic; churning text (advertisements, teasers) mostly does not, so that
 * how often a page changes says little about how much its changes matter.
 */
final class DemoSite {
  private static final double SLOWEST = 1.0 / 26;
  private static final double FASTEST = 3;

  private final String root;
  private final DemoPage.Format format;
  private final DemoWords vocabulary;
  private final DemoWords topic;
  private final String menu;
  private final RandomGenerator random;
  private final RandomDataGenerator data;

  DemoSite(String root, DemoPage.Format format, DemoWords vocabulary, RandomGenerator random) {
    this.root = root;
    this.format = format;
    this.vocabulary = vocabulary;
    this.random = random;
    this.data = new RandomDataGenerator(random);
    this.topic = vocabulary.topic(150);
    this.menu = String.join(" ", vocabulary.drawDistinct(20));
  }

  DemoPage page(int number) {
    DemoWords about = topic.topic(25);
    List<DemoRegion> regions = new ArrayList<>();
    regions.add(new DemoRegion(0, 1, () -> menu));
    regions.add(new DemoRegion(0, data.nextInt(1, 4), () -> paragraph(about, 0.35, 60)));
    double kind = random.nextDouble();
    if (kind > 0.5 && kind < 0.85) {
      regions.add(changing(1, () -> paragraph(about, 0.05, 50)));
    }
    if (kind > 0.7) {
      regions.add(changing(data.nextInt(3, 12), () -> paragraph(about, 0.3, 20)));
    }
    String name = String.join("-", about.drawDistinct(2)) + "-" + number;
    return new DemoPage(root + name, format, about, regions);
  }

  private DemoRegion changing(int capacity, Supplier<String> writer) {
    double logRate = data.nextUniform(Math.log(SLOWEST), Math.log(FASTEST));
    return new DemoRegion(Math.exp(logRate), capacity, writer);
  }

  /** A sentence of which a share of the words is on the page's topic and as many on the site's. */
  private String paragraph(DemoWords about, double onTopic, int meanLength) {
    int length = data.nextInt(meanLength / 2, meanLength * 3 / 2);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      double choice = random.nextDouble();
      DemoWords source = choice < onTopic ? about : choice < 2 * onTopic ? topic : vocabulary;
      text.append(i == 0 ? "" : " ").append(source.draw());
    }
    return DemoPage.capitalized(text.append('.').toString());
  }
}
