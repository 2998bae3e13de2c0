import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** A server whose forks are the worlds of tests. Needs Java 17 and the command {@code understudy}. */
final class Understudy implements AutoCloseable {
  private static final HttpClient client = HttpClient.newHttpClient();
  private final Process server;
  private final String url;

  /** Starts a server on a free port. Options are those of {@code understudy serve}. */
  Understudy(String... options) throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("understudy");
    folder.toFile().deleteOnExit();
    Path ready = folder.resolve("url");
    var command = new ArrayList<>(List.of("understudy", "serve", "--port", "0", "--json", "--ready-file", ready.toString()));
    command.addAll(List.of(options));
    server = new ProcessBuilder(command)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
    while (Files.notExists(ready) || Files.size(ready) == 0) {
      if (!server.isAlive()) throw new IOException("understudy serve did not start");
      Thread.sleep(20);
    }
    url = Files.readString(ready).strip();
  }

  /** A new world. Closing it fails the test that broke a client rule or sent an unexpected request. */
  World world() throws IOException, InterruptedException {
    String fork = control("POST", "default/fork", "{\"from\":\"start\"}");
    var found = Pattern.compile("\"id\":\"([^\"]+)\",\"path\":\"([^\"]+)\"").matcher(fork);
    if (!found.find()) throw new IOException("not a world: " + fork);
    return new World(found.group(1), url + found.group(2));
  }

  @Override
  public void close() {
    server.destroy();
  }

  private String control(String method, String path, String body) throws IOException, InterruptedException {
    var request = HttpRequest.newBuilder(URI.create(url + "/__understudy/worlds/" + path))
        .method(method, BodyPublishers.ofString(body))
        .build();
    var response = client.send(request, BodyHandlers.ofString());
    if (response.statusCode() >= 400) throw new IOException(method + " " + path + ": " + response.body());
    response.headers().allValues("Understudy-Warning").forEach(System.err::println);
    return response.body();
  }

  /** The world of one test. */
  final class World implements AutoCloseable {
    private final String id;
    final String ledgerUrl;

    private World(String id, String ledgerUrl) {
      this.id = id;
      this.ledgerUrl = ledgerUrl;
    }

    @Override
    public void close() throws IOException, InterruptedException {
      String problems = control("GET", id + "/end-of-test", "");
      control("DELETE", id, "");
      if (!problems.isEmpty()) throw new AssertionError(problems);
    }
  }
}
