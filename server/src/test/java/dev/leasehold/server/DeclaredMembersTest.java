package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.MemoryStore;
import dev.leasehold.kernel.spi.Store;
import dev.leasehold.remote.api.Member;
import dev.leasehold.remote.api.Operation;
import dev.leasehold.remote.api.Schema;
import dev.leasehold.remote.api.Schema.Basic;
import dev.leasehold.remote.api.Shape;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The readers accept the bodies that the tables declare: each declared member is read as its type,
 * a missing required one is reported, and members of other operations are refused.
 */
@Timeout(120)
class DeclaredMembersTest {
  /** The members of one of these depend on the first one: the table lists all of them. */
  private static final Set<String> UNIONS = Set.of("Command", "ObjectCommand", "LedgerEntry");

  private final Store store = MemoryStore.open();
  private final LeaseholdServer server = LeaseholdServer.on(store).start();
  private final Caller caller = new Caller(server.address());
  private final Set<String> names = new TreeSet<>();

  @AfterEach
  void stop() {
    server.close();
    store.close();
  }

  @Test
  void readersTakeExactlyTheDeclaredMembers() {
    for (Operation operation : ApiTables.all()) {
      operation.body().ifPresent(body -> collect(body.schema()));
    }
    assertThat(names).contains("key", "waitMs", "payloadBase64", "endEveryGrant", "leases");
    int checked = 0;
    for (Operation operation : ApiTables.all()) {
      if (operation.body().isPresent() && operation.body().get().schema() instanceof Shape shape) {
        check(operation, shape, operation.body().get().example(), body -> body);
        checked++;
      }
    }
    assertThat(checked).isGreaterThan(15);
  }

  private void collect(Schema schema) {
    if (schema instanceof Shape shape) {
      for (Member member : shape.members()) {
        names.add(member.name());
        collect(member.schema());
      }
    } else if (schema instanceof Schema.Items items) {
      collect(items.item());
    }
  }

  private void check(
      Operation operation, Shape shape, String example, UnaryOperator<String> around) {
    Map<String, String> members = split(example);
    assertThat(shape.members().stream().map(Member::name)).containsAll(members.keySet());
    for (Member member : shape.members()) {
      String name = member.name();
      Map<String, String> wrong = new LinkedHashMap<>(members);
      wrong.put(name, isText(member.schema()) ? "7" : "\"x\"");
      refused(operation, around.apply(joined(wrong)), name + ": must be ");
      if (member.required()) {
        Map<String, String> less = new LinkedHashMap<>(members);
        less.remove(name);
        refused(operation, around.apply(joined(less)), name + ": is missing");
      }
      if (member.schema() instanceof Schema.Items(Shape item) && !UNIONS.contains(item.name())) {
        String first =
            members.getOrDefault(name, "").strip().replaceAll("(?s)^\\[(\\{.*?}).*", "$1");
        check(
            operation,
            item,
            first,
            one -> {
              Map<String, String> inside = new LinkedHashMap<>(members);
              inside.put(name, "[" + one + "]");
              return joined(inside);
            });
      }
    }
    for (String name : names) {
      if (shape.member(name).isEmpty()) {
        Map<String, String> more = new LinkedHashMap<>(members);
        more.put(name, "1");
        refused(operation, around.apply(joined(more)), name + ": no such member is known here");
      }
    }
  }

  private static boolean isText(Schema schema) {
    return schema == Basic.TEXT || schema instanceof Schema.Words;
  }

  private void refused(Operation operation, String body, String why) {
    String path = operation.path().replace("{target}", "table");
    Caller.Reply reply = caller.post(path, body);
    assertThat(reply.status()).as("%s %s: %s", path, body, reply.text()).isEqualTo(400);
    assertThat(reply.json().text("detail")).as("%s %s", path, body).contains(why);
  }

  /** The members of an object as they are written. No text in an example contains a comma. */
  private static Map<String, String> split(String object) {
    Map<String, String> members = new LinkedHashMap<>();
    String inside = object.strip().substring(1, object.strip().length() - 1);
    int depth = 0;
    int start = 0;
    for (int i = 0; i <= inside.length(); i++) {
      char c = i == inside.length() ? ',' : inside.charAt(i);
      depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
      if (c == ',' && depth == 0) {
        String[] parts = inside.substring(start, i).split(":", 2);
        members.put(parts[0].strip().replace("\"", ""), parts[1].strip());
        start = i + 1;
      }
    }
    return members;
  }

  private static String joined(Map<String, String> members) {
    return members.entrySet().stream()
        .map(member -> "\"" + member.getKey() + "\":" + member.getValue())
        .collect(Collectors.joining(",", "{", "}"));
  }
}
