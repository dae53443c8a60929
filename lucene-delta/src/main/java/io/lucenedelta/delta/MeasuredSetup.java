// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.lucene.search.similarities.PerFieldSimilarityWrapper;
import org.apache.lucene.search.similarities.Similarity;

/**
 * What a state was measured for: decides what of it can be used again.
 *
 * @param similarity its {@code toString}, which tells its parameters; where that is inherited, the
 *     name of its class before it, or alone if it is that of every object; behind it the role of
 *     importance, if there is any. Less what tells objects of one process apart
 * @param estimator the same of what estimates ΔQ_A; empty when it is not known
 * @param softDeletesField empty when there is none
 */
record MeasuredSetup(
    long workload,
    String keyField,
    List<ScoredField> scoredFields,
    String similarity,
    String estimator,
    String softDeletesField) {
  /**
   * What {@link Object#toString} and lambda expressions leave in the texts of records, say. Behind
   * an @ some print a parameter: one that has a point, or fewer digits than nearly all hashes, is
   * left.
   */
  private static final Pattern OF_THE_PROCESS =
      Pattern.compile("\\$\\$Lambda[^,\\])@]*+(?:@[0-9a-f]++)?|@[0-9a-f]{5,8}\\b(?!\\.\\d)");

  static MeasuredSetup of(
      DeltaConfig config, long workload, Similarity similarity, String softDeletesField) {
    return new MeasuredSetup(
        workload,
        config.keyField(),
        config.scoredFields(),
        lasting(text(similarity, config.scoredFields())) + role(config),
        lasting(config.estimator().toString()),
        softDeletesField == null ? "" : softDeletesField);
  }

  private static String lasting(String text) {
    return OF_THE_PROCESS.matcher(text).replaceAll("");
  }

  /**
   * Scores of another role are other scores; those without importance are as they ever were. Where
   * importance counts alone, pages rank by it or by scores made of it, which the estimator decides.
   */
  private static String role(DeltaConfig config) {
    Importance importance = config.importance();
    if (importance == null) {
      return "";
    }
    boolean scored = !importance.usesSimilarity() && !config.ranksByImportance();
    return ", importance " + importance.role() + (scored ? " as a score" : "");
  }

  /** The same in every process: {@link Object#toString} is not. */
  private static String text(Similarity similarity, List<ScoredField> fields) {
    String text = similarity.toString();
    String name = similarity.getClass().getName();
    if (!text.equals(name + "@" + Integer.toHexString(similarity.hashCode()))) {
      return printsAnother(similarity.getClass()) ? name + ": " + text : text;
    }
    return similarity instanceof PerFieldSimilarityWrapper parts
        ? fields.stream()
            .map(field -> field.name() + "=" + part(parts, field.name(), fields))
            .collect(Collectors.joining(", ", name + "(", ")"))
        : name;
  }

  /** Where a field has none, misspelt say, Lucene never asks, as no document has it. */
  private static String part(
      PerFieldSimilarityWrapper parts, String field, List<ScoredField> fields) {
    Similarity part;
    try {
      part = parts.get(field);
    } catch (VirtualMachineError e) {
      throw e;
    } catch (Throwable t) {
      return "none";
    }
    return part == null ? "none" : text(part, fields);
  }

  /**
   * Whether objects of a class print what they would if they were of the class that it extends.
   * Lucene's own that do so print their names.
   */
  private static boolean printsAnother(Class<? extends Similarity> type) {
    try {
      return type.getMethod("toString").getDeclaringClass() != type
          && !type.getPackageName().equals(Similarity.class.getPackageName());
    } catch (NoSuchMethodException e) {
      throw new AssertionError("every object has it", e);
    }
  }

  static MeasuredSetup of(Manifest manifest) {
    return new MeasuredSetup(
        manifest.workloadId,
        manifest.keyField,
        List.copyOf(manifest.scoredFields),
        manifest.similarity,
        manifest.estimator,
        manifest.softDeletesField);
  }

  /** Whether vectors are of the same pages and fields, be it of another workload. */
  boolean samePages(MeasuredSetup other) {
    return keyField.equals(other.keyField)
        && fields().equals(other.fields())
        && softDeletesField.equals(other.softDeletesField);
  }

  private List<String> fields() {
    return scoredFields.stream().map(ScoredField::name).toList();
  }

  /** Whether scores and ranks are the same. */
  boolean sameScores(MeasuredSetup other) {
    return workload == other.workload
        && keyField.equals(other.keyField)
        && scoredFields.equals(other.scoredFields)
        && similarity.equals(other.similarity);
  }

  /** Whether what a score shift is worth is the same, too. */
  boolean sameEstimates(MeasuredSetup other) {
    return sameScores(other) && (estimator.equals(other.estimator) || other.estimator.isEmpty());
  }

  void writeTo(Manifest manifest) {
    manifest.workloadId = workload;
    manifest.keyField = keyField;
    manifest.scoredFields = new ArrayList<>(scoredFields);
    manifest.similarity = similarity;
    manifest.estimator = estimator;
    manifest.softDeletesField = softDeletesField;
  }
}
