import com.google.api.client.googleapis.batch.BatchRequest;
import com.google.api.client.googleapis.batch.json.JsonBatchCallback;
import com.google.api.client.googleapis.json.GoogleJsonError;
import com.google.api.client.googleapis.services.json.AbstractGoogleJsonClient;
import com.google.api.client.googleapis.services.json.AbstractGoogleJsonClientRequest;
import com.google.api.client.http.HttpHeaders;
import com.google.api.client.http.HttpRequest;
import com.google.api.client.http.HttpRequestInitializer;
import com.google.api.client.http.javanet.NetHttpTransport;
import com.google.api.client.json.GenericJson;
import com.google.api.client.json.jackson2.JacksonFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * A batch by the official client, unchanged: java -cp JARS BatchCalls.java ORIGIN TOKEN FIRST-GROUP SECOND-GROUP MISSING-GROUP.
 * Prints a line for each call, in the order of the calls.
 */
class BatchCalls {
  static final class Client extends AbstractGoogleJsonClient {
    Client(Builder builder) {
      super(builder);
    }

    static final class Builder extends AbstractGoogleJsonClient.Builder {
      Builder(String origin, HttpRequestInitializer initializer) {
        super(new NetHttpTransport(), JacksonFactory.getDefaultInstance(), origin + "/", "", initializer, false);
        setBatchPath("batch");
        setApplicationName("batch-calls");
      }

      @Override
      public Client build() {
        return new Client(this);
      }
    }
  }

  static final class Call extends AbstractGoogleJsonClientRequest<GenericJson> {
    Call(Client client, String method, String path, Object body) {
      super(client, method, path, body, GenericJson.class);
    }
  }

  public static void main(String[] args) throws Exception {
    String token = args[1];
    // The token is set on each call: the request that carries the batch has none.
    Client client =
        new Client.Builder(args[0], (HttpRequest request) -> request.getHeaders().setAuthorization("Bearer " + token))
            .build();
    String groups = "admin/directory/v1/groups";
    BatchRequest batch = client.batch();
    List<String> lines = new ArrayList<>();
    for (int n = 2; n < 4; n += 1) {
      GenericJson body = new GenericJson();
      body.put("email", args[n]);
      new Call(client, "POST", groups, body).queue(batch, callback(lines));
    }
    new Call(client, "GET", groups + "/" + args[4], null).queue(batch, callback(lines));
    batch.execute();
    lines.forEach(System.out::println);
    System.out.println("alone " + new Call(client, "GET", groups + "/" + args[2], null).execute().get("email"));
  }

  private static JsonBatchCallback<GenericJson> callback(List<String> lines) {
    return new JsonBatchCallback<GenericJson>() {
      @Override
      public void onSuccess(GenericJson answer, HttpHeaders headers) {
        lines.add("made " + answer.get("email"));
      }

      @Override
      public void onFailure(GoogleJsonError error, HttpHeaders headers) {
        lines.add("refused " + error.getCode());
      }
    };
  }
}
