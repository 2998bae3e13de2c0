import java.io.IOException;

/** With JUnit, each of these methods is a {@code @Test}, and the server starts in {@code @BeforeAll}. */
final class UsersTest {
  private static Understudy understudy;

  public static void main(String... arguments) throws Exception {
    try (var started = new Understudy("--profile", "canton-3.6")) {
      understudy = started;
      listsAllUsers();
      anInventedPageTokenFailsATest();
    }
    System.out.println("2 tests passed");
  }

  static void listsAllUsers() throws Exception {
    try (var world = understudy.world()) {
      var users = Users.list(world.ledgerUrl, "any");
      if (!users.contains("alice")) throw new AssertionError("no alice in " + users);
    }
  }

  static void anInventedPageTokenFailsATest() throws Exception {
    try (var world = understudy.world()) {
      try {
        Users.page(world.ledgerUrl, "any", "2");
        throw new IllegalStateException("the page token 2 is accepted");
      } catch (IOException refused) {
        // The application handles the error, so only the stub notices.
      }
    } catch (AssertionError failure) {
      System.out.println(failure.getMessage());
      return;
    }
    throw new AssertionError("the client rule does not fail the test");
  }
}
