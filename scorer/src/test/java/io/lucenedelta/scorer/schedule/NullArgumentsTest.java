// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.schedule;

import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.lucenedelta.scorer.refresh.UserUtility;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class NullArgumentsTest {
  private static Arguments call(String name, ThrowingCallable call) {
    return arguments(name, call);
  }

  static Stream<Arguments> calls() {
    return Stream.of(
        call("UserUtility", () -> new UserUtility(null, 1)),
        call("CurveFitting", () -> new CurveFitting(null, 1)),
        call("BoundBased", () -> new BoundBased(null, 1)),
        call("LambdaCrawl", () -> new LambdaCrawl(null, 1)),
        call("its rates", () -> new LambdaCrawl(LambdaCrawl.Importance.VIEWS, null, 1)),
        call("Polling", () -> new Polling(null, 1)),
        call("IncrementalBuckets", () -> new IncrementalBuckets(1, null, 1)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("calls")
  void aStrategyThatLacksItsParametersSaysSoBeforeItPlans(String name, ThrowingCallable call) {
    assertThatNullPointerException().as(name).isThrownBy(call).withMessageEndingWith("was null");
  }
}
