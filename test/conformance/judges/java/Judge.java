import com.google.api.client.auth.oauth2.TokenResponseException;
import com.google.api.client.googleapis.MethodOverride;
import com.google.api.client.googleapis.auth.oauth2.GoogleCredential;
import com.google.api.client.googleapis.batch.BatchRequest;
import com.google.api.client.googleapis.batch.json.JsonBatchCallback;
import com.google.api.client.googleapis.json.GoogleJsonError;
import com.google.api.client.googleapis.json.GoogleJsonResponseException;
import com.google.api.client.googleapis.services.json.AbstractGoogleJsonClient;
import com.google.api.client.googleapis.services.json.AbstractGoogleJsonClientRequest;
import com.google.api.client.http.ByteArrayContent;
import com.google.api.client.http.GenericUrl;
import com.google.api.client.http.HttpBackOffUnsuccessfulResponseHandler;
import com.google.api.client.http.HttpHeaders;
import com.google.api.client.http.HttpRequest;
import com.google.api.client.http.HttpRequestInitializer;
import com.google.api.client.http.HttpResponse;
import com.google.api.client.http.HttpResponseException;
import com.google.api.client.http.javanet.NetHttpTransport;
import com.google.api.client.json.GenericJson;
import com.google.api.client.json.JsonString;
import com.google.api.client.json.gson.GsonFactory;
import com.google.api.client.util.ExponentialBackOff;
import com.google.api.client.util.Key;
import java.io.ByteArrayOutputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Runs every case of the Java client (libgoogle-api-client-java) and prints one line of JSON for each: name, ok, detail.
 * Debian has its core alone, without generated classes: requests are generic, their types are those of the core.
 */
public class Judge {
  static final String URL = System.getenv("JUDGE_URL");
  static final String TOKEN = System.getenv("JUDGE_TOKEN");
  static final String CUSTOMER = System.getenv("JUDGE_CUSTOMER");
  static final String DOMAIN = System.getenv("JUDGE_DOMAIN");
  static final String KEY_FILE = System.getenv("JUDGE_KEY_FILE");
  static final String NUMBER = Long.toString(400_000_000_000L + Long.parseLong(CUSTOMER.substring(1), 16));
  static final String PROJECT = "by-java-" + CUSTOMER.toLowerCase();
  static final NetHttpTransport TRANSPORT = new NetHttpTransport();
  static final GsonFactory JSON = new GsonFactory();
  static final Map<String, Case> CASES = new LinkedHashMap<>();
  static final String USERS = "admin/directory/v1/users";
  static final String GROUPS = "admin/directory/v1/groups";
  static int made;

  interface Case {
    void run() throws Exception;
  }

  /** A client as the generated ones are: the core's, with a root URL and a path. */
  static class Client extends AbstractGoogleJsonClient {
    Client(HttpRequestInitializer initializer) {
      super(new Builder(initializer));
    }

    static class Builder extends AbstractGoogleJsonClient.Builder {
      Builder(HttpRequestInitializer initializer) {
        super(TRANSPORT, JSON, URL + "/", "", initializer, false);
        setApplicationName("judge");
        setBatchPath("batch");
      }

      @Override
      public Client build() {
        throw new UnsupportedOperationException();
      }
    }
  }

  static class Request<T> extends AbstractGoogleJsonClientRequest<T> {
    @Key private String fields;
    @Key private String query;
    @Key private String customer;
    @Key private Integer maxResults;
    @Key private String pageToken;
    @Key private String updateMask;

    Request(Client client, String method, String path, Object body, Class<T> type) {
      super(client, method, path, body, type);
    }

    Request<T> with(String name, Object value) {
      set(name, value);
      return this;
    }

    /** What generated classes make public. */
    void download(OutputStream to) throws IOException {
      executeMediaAndDownloadTo(to);
    }
  }

  /** A user as the generated class has it, in part. */
  public static class User extends GenericJson {
    @Key String id;
    @Key String primaryEmail;
    @Key Boolean suspended;
    @Key Map<String, Object> name;
    @Key String etag;
  }

  public static class Group extends GenericJson {
    @Key String id;
    @Key String email;
    @Key String name;
    @Key String description;
    @Key String etag;
    @Key @JsonString Long directMembersCount;
  }

  static GoogleCredential credential() {
    return new GoogleCredential().setAccessToken(TOKEN);
  }

  static final Client CLIENT = new Client(credential());

  static <T> Request<T> request(String method, String path, Object body, Class<T> type) {
    return new Request<>(CLIENT, method, path, body, type);
  }

  static Request<GenericJson> request(String method, String path, Object body) {
    return request(method, path, body, GenericJson.class);
  }

  static GenericJson json(Object... pairs) {
    GenericJson object = new GenericJson();
    for (int at = 0; at < pairs.length; at += 2) object.set((String) pairs[at], pairs[at + 1]);
    return object;
  }

  static String fresh(String word) {
    made += 1;
    return word + "-java" + made;
  }

  static String address(String word) {
    return fresh(word) + "@" + DOMAIN;
  }

  static void judge(String name, Case run) {
    CASES.put(name, run);
  }

  static void same(Object actual, Object expected) {
    if (!Objects.equals(actual, expected)) throw new AssertionError(actual + ", expected " + expected);
  }

  static void holds(boolean condition, Object said) {
    if (!condition) throw new AssertionError("does not hold: " + said);
  }

  interface Call {
    Object run() throws Exception;
  }

  /** The error that a call must end in. */
  static GoogleJsonResponseException refusal(Call call) throws Exception {
    Object answer;
    try {
      answer = call.run();
    } catch (GoogleJsonResponseException error) {
      return error;
    }
    throw new AssertionError("not refused: " + answer);
  }

  static User makeUser() throws IOException {
    GenericJson name = json("givenName", "Grace", "familyName", "Hopper");
    return request("POST", USERS, json("primaryEmail", address("user"), "name", name, "password", "correct horse battery"), User.class).execute();
  }

  static Group makeGroup() throws IOException {
    return request("POST", GROUPS, json("email", address("group"), "name", "Crew", "description", "All hands"), Group.class).execute();
  }

  static User readUser(String key) throws IOException {
    return request("GET", USERS + "/" + key, null, User.class).execute();
  }

  static Group readGroup(String key) throws IOException {
    return request("GET", GROUPS + "/" + key, null, Group.class).execute();
  }

  /** A fault by the emulator's own control, which no client of the vendor knows. */
  static void fail(Object... pairs) throws IOException {
    request("POST", "v1/faults", json(pairs)).execute();
  }

  static HttpRequestInitializer patient() {
    GoogleCredential credential = credential();
    return request -> {
      credential.initialize(request);
      ExponentialBackOff waits = new ExponentialBackOff.Builder().setInitialIntervalMillis(10).build();
      request.setUnsuccessfulResponseHandler(new HttpBackOffUnsuccessfulResponseHandler(waits));
    };
  }

  static void directory() {
    judge("directory: a user is made and read by address and by id", () -> {
      User user = makeUser();
      for (String key : List.of(user.id, user.primaryEmail)) same(readUser(key).id, user.id);
      same(readUser(user.id).name.get("fullName"), "Grace Hopper");
    });

    judge("directory: a user is deleted", () -> {
      User user = makeUser();
      holds(request("DELETE", USERS + "/" + user.id, null, Void.class).execute() == null, "an answer");
      same(refusal(() -> readUser(user.id)).getStatusCode(), 404);
    });

    judge("directory: PATCH is sent as such, and a null clears", () -> {
      Group group = makeGroup();
      GenericJson body = json("description", com.google.api.client.util.Data.NULL_STRING);
      request("PATCH", GROUPS + "/" + group.id, body).execute();
      Group got = readGroup(group.id);
      same(got.name, "Crew");
      holds(got.description == null || got.description.isEmpty(), got.description);
    });

    judge("directory: PUT of the address keeps name and description", () -> {
      Group group = makeGroup();
      String email = address("renamed");
      request("PUT", GROUPS + "/" + group.id, json("email", email)).execute();
      same(List.of(readGroup(email).name, readGroup(email).description), List.of("Crew", "All hands"));
    });

    judge("directory: a count is a Long by JsonString", () -> {
      Group group = makeGroup();
      request("POST", GROUPS + "/" + group.id + "/members", json("email", makeUser().primaryEmail)).execute();
      same(readGroup(group.id).directMembersCount, 1L);
    });

    judge("directory: pages are walked by their tokens", () -> {
      String word = fresh("paged");
      for (String name : List.of("a", "b", "c"))
        request("POST", GROUPS, json("email", word + name + "@" + DOMAIN, "name", name)).execute();
      List<String> found = new ArrayList<>();
      String token = null;
      do {
        Request<GenericJson> list = request("GET", GROUPS, null).with("customer", "my_customer").with("query", "email:" + word + "*").with("maxResults", 2);
        GenericJson page = (token == null ? list : list.with("pageToken", token)).execute();
        for (Object one : (List<?>) page.get("groups")) found.add((String) ((Map<?, ?>) one).get("name"));
        token = (String) page.get("nextPageToken");
      } while (token != null);
      same(found, List.of("a", "b", "c"));
    });

    judge("directory: a photo comes back as its bytes by the core's own decoder", () -> {
      User user = makeUser();
      byte[] picture = java.util.Base64.getDecoder().decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==");
      while (picture.length % 3 != 1) picture = Arrays.copyOf(picture, picture.length + 1);
      String path = USERS + "/" + user.id + "/photos/thumbnail";
      request("PUT", path, json("photoData", java.util.Base64.getUrlEncoder().encodeToString(picture))).execute();
      String got = (String) request("GET", path, null).execute().get("photoData");
      holds(Arrays.equals(java.util.Base64.getUrlDecoder().decode(got), picture), got);
    });

    judge("errors: GoogleJsonError has code, message and the vendor's reason", () -> {
      GoogleJsonError error = refusal(() -> readUser(address("nobody"))).getDetails();
      same(error.getCode(), 404);
      same(error.getMessage(), "Resource Not Found: userKey");
      same(error.getErrors().get(0).getReason(), "notFound");
    });

    judge("errors: without a token 401", () -> {
      Client bare = new Client(null);
      same(refusal(() -> new Request<>(bare, "GET", USERS, null, GenericJson.class).execute()).getStatusCode(), 401);
    });
  }

  static void conventions() {
    judge("batch: calls come back to their own callbacks", () -> {
      List<String> ids = new ArrayList<>();
      TreeMap<String, String> found = new TreeMap<>();
      TreeMap<String, String> wanted = new TreeMap<>();
      BatchRequest batch = CLIENT.batch();
      for (int at = 0; at < 3; at += 1) {
        User user = makeUser();
        ids.add(user.id);
        wanted.put(user.id, user.primaryEmail);
        request("GET", USERS + "/" + user.id, null).queue(batch, keep(user.id, found));
      }
      batch.execute();
      same(found, wanted);
    });

    judge("batch: a part that fails leaves the others", () -> {
      TreeMap<String, String> found = new TreeMap<>();
      Group group = makeGroup();
      BatchRequest batch = CLIENT.batch(credential());
      request("GET", USERS + "/" + address("nobody"), null).queue(batch, keep("bad", found));
      request("PATCH", GROUPS + "/" + group.id, json("description", "by batch")).queue(batch, keep("good", found));
      batch.execute();
      same(found.get("bad"), "404");
      same(readGroup(group.id).description, "by batch");
    });

    judge("etag: If-None-Match of what was read is 304", () -> {
      Group group = makeGroup();
      Request<Group> again = request("GET", GROUPS + "/" + group.id, null, Group.class);
      again.setRequestHeaders(new HttpHeaders().setIfNoneMatch(readGroup(group.id).etag));
      try {
        again.execute();
        throw new AssertionError("not 304");
      } catch (HttpResponseException error) {
        same(error.getStatusCode(), 304);
      }
      request("PATCH", GROUPS + "/" + group.id, json("description", "x")).execute();
      same(again.execute().description, "x");
    });

    judge("etag: If-Match of an old version is 412 and changes nothing", () -> {
      Group group = makeGroup();
      String old = readGroup(group.id).etag;
      request("PATCH", GROUPS + "/" + group.id, json("description", "theirs")).execute();
      Request<GenericJson> late = request("PATCH", GROUPS + "/" + group.id, json("description", "mine"));
      late.setRequestHeaders(new HttpHeaders().setIfMatch(old));
      same(refusal(late::execute).getStatusCode(), 412);
      same(readGroup(group.id).description, "theirs");
    });

    judge("retry: 503 is tried again by the back-off handler", () -> {
      User user = makeUser();
      fail("method", "directory.users.get", "status", 503, "times", 2);
      same(new Request<>(new Client(patient()), "GET", USERS + "/" + user.id, null, User.class).execute().id, user.id);
    });

    judge("retry: without a handler 503 is the error", () -> {
      User user = makeUser();
      fail("method", "directory.users.get", "status", 503, "times", 1);
      same(refusal(() -> readUser(user.id)).getStatusCode(), 503);
      same(readUser(user.id).id, user.id);
    });

    judge("override: MethodOverride sends a PATCH and a long GET as POST", () -> {
      GoogleCredential credential = credential();
      MethodOverride override = new MethodOverride.Builder().setOverrideAllMethods(true).build();
      Client client = new Client(request -> {
        credential.initialize(request);
        request.setInterceptor(both -> {
          credential.intercept(both);
          override.intercept(both);
        });
      });
      Group group = makeGroup();
      new Request<>(client, "PATCH", GROUPS + "/" + group.id, json("description", "overridden"), Group.class).execute();
      Request<Group> read = new Request<>(client, "GET", GROUPS + "/" + group.id, null, Group.class).with("fields", "description,name");
      Group got = read.execute();
      same(List.of(got.name, got.description), List.of("Crew", "overridden"));
      same(got.id, null);
    });

    judge("fields: an answer has what was asked for", () -> {
      User user = makeUser();
      User got = request("GET", USERS + "/" + user.id, null, User.class).with("fields", "id,name/givenName").execute();
      same(got.id, user.id);
      same(got.primaryEmail, null);
      same(got.name, Map.of("givenName", "Grace"));
    });

    judge("gzip: bodies are sent packed and answers unpacked by the core", () -> {
      Group group = makeGroup();
      String text = "x".repeat(1_000);
      Request<GenericJson> patch = request("PATCH", GROUPS + "/" + group.id, json("description", text));
      holds(!patch.getDisableGZipContent(), "gzip is off");
      patch.execute();
      same(readGroup(group.id).description, text);
    });

    judge("keys: GoogleCredential reads the key file as it is", () -> {
      GoogleCredential credential = GoogleCredential.fromStream(new FileInputStream(KEY_FILE), TRANSPORT, JSON)
          .createScoped(Collections.singleton("https://www.googleapis.com/auth/admin.directory.group.readonly"));
      Client narrow = new Client(credential);
      Group group = makeGroup();
      same(new Request<>(narrow, "GET", GROUPS + "/" + group.id, null, Group.class).execute().id, group.id);
      Call delete = () -> new Request<>(narrow, "DELETE", GROUPS + "/" + group.id, null, Void.class).execute();
      same(refusal(delete).getStatusCode(), 403);
      same(readGroup(group.id).id, group.id);
    });

    judge("keys: createDelegated acts for a user that the account may act for, and for nobody else", () -> {
      GoogleCredential own = GoogleCredential.fromStream(new FileInputStream(KEY_FILE), TRANSPORT, JSON)
          .createScoped(Collections.singleton("https://www.googleapis.com/auth/admin.directory.group"));
      Group group = makeGroup();
      Client acting = new Client(own.createDelegated("admin@" + DOMAIN));
      new Request<>(acting, "PATCH", GROUPS + "/" + group.id, json("description", "for another"), Group.class).execute();
      same(readGroup(group.id).description, "for another");
      try {
        own.createDelegated("nobody@" + DOMAIN).refreshToken();
        throw new AssertionError("not refused");
      } catch (TokenResponseException error) {
        same(error.getDetails().getError(), "unauthorized_client");
      }
    });
  }

  static JsonBatchCallback<GenericJson> keep(String name, Map<String, String> found) {
    return new JsonBatchCallback<GenericJson>() {
      @Override
      public void onSuccess(GenericJson answer, HttpHeaders headers) {
        found.put(name, String.valueOf(answer.get("primaryEmail")));
      }

      @Override
      public void onFailure(GoogleJsonError error, HttpHeaders headers) {
        found.put(name, String.valueOf(error.getCode()));
      }
    };
  }

  static void others() {
    judge("reseller: a customer is made and read with its address", () -> {
      GenericJson address = json("contactName", "Ada", "organizationName", "Crew", "countryCode", "US", "postalCode", "94043", "region", "CA", "locality", "Mountain View");
      GenericJson body = json("customerDomain", fresh("shop") + ".example.org", "alternateEmail", "ada@example.net", "postalAddress", address);
      String id = (String) request("POST", "apps/reseller/v1/customers", body).execute().get("customerId");
      GenericJson got = request("GET", "apps/reseller/v1/customers/" + id, null).execute();
      same(((Map<?, ?>) got.get("postalAddress")).get("locality"), "Mountain View");
    });

    judge("logging: entries are written and found", () -> {
      GenericJson entry = json("severity", "ERROR", "jsonPayload", json("part", 0.5, "text", "é"));
      String log = "projects/" + PROJECT + "/logs/" + fresh("log");
      request("POST", "v2/entries:write", json("logName", log, "resource", json("type", "global"), "entries", List.of(entry))).execute();
      GenericJson list = json("resourceNames", List.of("projects/" + PROJECT), "filter", "logName=\"" + log + "\" jsonPayload.part=0.5");
      List<?> found = (List<?>) request("POST", "v2/entries:list", list).execute().get("entries");
      same(((Map<?, ?>) ((Map<?, ?>) found.get(0)).get("jsonPayload")).get("text"), "é");
    });

    judge("logging: a metric keeps buckets with fractions", () -> {
      GenericJson buckets = json("exponentialBuckets", json("numFiniteBuckets", 8, "growthFactor", 1.4, "scale", 0.01));
      String name = fresh("latency");
      GenericJson metric = json("name", name, "filter", "httpRequest:*", "valueExtractor", "EXTRACT(httpRequest.latency)", "bucketOptions", buckets,
          "metricDescriptor", json("metricKind", "DELTA", "valueType", "DISTRIBUTION"));
      request("POST", "v2/projects/" + PROJECT + "/metrics", metric).execute();
      GenericJson got = request("GET", "v2/projects/" + PROJECT + "/metrics/" + name, null).execute();
      Map<?, ?> kept = (Map<?, ?>) ((Map<?, ?>) got.get("bucketOptions")).get("exponentialBuckets");
      same(((Number) kept.get("growthFactor")).doubleValue(), 1.4);
    });

    judge("trace: a span is written and read", () -> {
      String trace = "0af7651916cd43dd8448eb211c" + NUMBER.substring(6);
      String parent = "projects/traced-" + PROJECT;
      String end = java.time.Instant.now().toString();
      GenericJson span = json("name", parent + "/traces/" + trace + "/spans/b7ad6b7169203331", "spanId", "b7ad6b7169203331",
          "displayName", json("value", "by java"), "startTime", end, "endTime", end);
      request("POST", "v2/" + parent + "/traces:batchWrite", json("spans", List.of(span))).execute();
      GenericJson got = request("GET", "v1/" + parent + "/traces/" + trace, null).execute();
      same(((Map<?, ?>) ((List<?>) got.get("spans")).get(0)).get("name"), "by java");
    });

    judge("tags: a key is made by an operation that is done", () -> {
      GenericJson operation = request("POST", "v3/tagKeys", json("parent", "organizations/" + NUMBER, "shortName", fresh("key"))).execute();
      same(operation.get("done"), true);
      String name = (String) ((Map<?, ?>) operation.get("response")).get("name");
      same(request("GET", "v3/" + name, null).execute().get("name"), name);
    });

    judge("admob: an app is made and listed", () -> {
      String parent = "v1beta/accounts/pub-9" + "0".repeat(15 - NUMBER.length()) + NUMBER;
      String name = fresh("App");
      request("POST", parent + "/apps", json("platform", "IOS", "manualAppInfo", json("displayName", name))).execute();
      List<?> apps = (List<?>) request("GET", parent + "/apps", null).execute().get("apps");
      same(((Map<?, ?>) ((Map<?, ?>) apps.get(0)).get("manualAppInfo")).get("displayName"), name);
    });

    judge("media: a file of entries is downloaded by executeMediaAndDownloadTo", () -> {
      String bucket = fresh("files") + "-" + NUMBER;
      String log = "projects/" + PROJECT + "/logs/" + fresh("filed");
      request("POST", "storage/v1/b?project=" + PROJECT, json("name", bucket)).execute();
      request("POST", "v2/projects/" + PROJECT + "/sinks", json("name", fresh("sink"), "destination", "storage.googleapis.com/" + bucket, "filter", "logName=\"" + log + "\"")).execute();
      request("POST", "v2/entries:write", json("logName", log, "resource", json("type", "global"), "entries", List.of(json("textPayload", "in a file")))).execute();
      List<?> files = null;
      for (int tries = 0; tries < 40 && files == null; tries += 1) {
        Thread.sleep(250);
        files = (List<?>) request("GET", "storage/v1/b/" + bucket + "/o", null).execute().get("items");
      }
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      String name = ((String) ((Map<?, ?>) files.get(0)).get("name")).replace("/", "%2F");
      request("GET", "storage/v1/b/" + bucket + "/o/" + name, null).download(bytes);
      String text = bytes.toString(StandardCharsets.UTF_8);
      holds(text.contains("in a file"), text);
    });
  }

  public static void main(String[] arguments) throws IOException {
    directory();
    conventions();
    others();
    for (Map.Entry<String, Case> one : CASES.entrySet()) {
      String detail = "";
      try {
        one.getValue().run();
      } catch (Exception | AssertionError problem) {
        StackTraceElement[] places = problem.getStackTrace();
        int line = 0;
        for (StackTraceElement place : places) if (line == 0 && place.getMethodName().startsWith("lambda$")) line = place.getLineNumber();
        detail = problem.getClass().getSimpleName() + ": " + problem.getMessage() + " (Judge.java:" + line + ")";
      }
      GenericJson said = json("name", one.getKey(), "ok", detail.isEmpty(), "detail", detail.substring(0, Math.min(1_000, detail.length())));
      System.out.println(JSON.toString(said));
    }
  }
}
