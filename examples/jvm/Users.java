import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The application. It reads JSON with patterns, so that the example has no dependencies. */
final class Users {
  private static final HttpClient client = HttpClient.newHttpClient();
  private static final Pattern id = Pattern.compile("\\{\"id\":\"([^\"]*)\"");
  private static final Pattern nextPageToken = Pattern.compile("\"nextPageToken\":\"([^\"]*)\"");

  /** The ids of all users of a node, page by page. */
  static List<String> list(String ledgerUrl, String token) throws IOException, InterruptedException {
    var users = new ArrayList<String>();
    for (String pageToken = ""; ; ) {
      String page = page(ledgerUrl, token, pageToken);
      users.addAll(all(id, page));
      pageToken = all(nextPageToken, page).get(0);
      if (pageToken.isEmpty()) return users;
    }
  }

  static String page(String ledgerUrl, String token, String pageToken) throws IOException, InterruptedException {
    String query = "pageSize=2&pageToken=" + URLEncoder.encode(pageToken, StandardCharsets.UTF_8);
    var request = HttpRequest.newBuilder(URI.create(ledgerUrl + "/v2/users?" + query))
        .header("Authorization", "Bearer " + token)
        .build();
    var response = client.send(request, BodyHandlers.ofString());
    if (response.statusCode() != 200) throw new IOException(response.statusCode() + " " + response.body());
    return response.body();
  }

  private static List<String> all(Pattern pattern, String text) {
    return pattern.matcher(text).results().map((MatchResult found) -> found.group(1)).toList();
  }
}
