import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.*;
import org.openapitools.client.model.*;

/** A chat by the client that openapi-generator makes for Java. What it found goes to stdout as JSON. */
public class Chat {
    static ApiClient client(String token) {
        ApiClient client = new ApiClient();
        client.updateBaseUri(System.getenv("PARLEY_GATEWAY"));
        client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));
        return client;
    }

    public static void main(String[] arguments) throws Exception {
        ApiClient gateway = client(System.getenv("PARLEY_TOKEN"));
        CustomerRequest customer = new CustomerRequest().firstName("Ann");
        Session session = new SessionsApi(gateway)
            .createSession(new SessionRequest().channel(System.getenv("CHANNEL")).customer(customer), null);

        // From here on as a program that was given the session alone.
        ApiClient mine = client(session.getToken());
        String s = session.getId();
        ThreadsApi threads = new ThreadsApi(mine);
        MessagesApi messages = new MessagesApi(mine);
        String t = threads.createThread(s, null, new ThreadRequest().name("Generated")).getId();
        Message first = messages.sendMessage(s, t, new MessageRequest().text("Hello"), "key-" + t);
        Message again = messages.sendMessage(s, t, new MessageRequest().text("Hello"), "key-" + t);
        AgentRequest agent = new AgentRequest().id("eve").name("Eve");
        Message answer = new DeskApi(gateway)
            .sendDeskMessage(t, new DeskMessageRequest().text("Hi").agent(agent), null, null, null);
        MessageList page = messages.listMessages(s, t, null, 1, null, null, null).getMessageList();
        MessageList rest = messages.listMessages(s, t, null, 1, page.getNext(), null, null).getMessageList();
        Message reply = messages.sendReply(s, t, answer.getId(), new ReplyRequest().text("Thanks"), null);
        ReplyList replies = messages.listReplies(
            s, t, answer.getId(), reply.getCreatedAt().toString(), null, null, true, null, null, null, null, null);
        List<String> collections = new ArrayList<>();
        for (Viewpoint viewpoint : List.of(new Viewpoint(1777887000000L), new Viewpoint("2026-05-04T09:30:00Z"))) {
            CollectionRequest request = new CollectionRequest().kind(CollectionKind.MESSAGES).threadId(t).viewpoint(viewpoint);
            collections.add(new CollectionsApi(mine).createCollection(s, request, null).getKind().getValue());
        }
        EventPage events = new EventsApi(mine)
            .streamSessionEvents(s, session.getCursor(), null, null, null, null, null, null, null, null, null, null);
        Path plan = Path.of("plan.txt");
        Files.write(plan, new byte[] {99, 97, 102, (byte) 0xe9});
        Attachment file = messages.uploadAttachment(s, plan.toFile(), null, null, null);
        File content = messages.getAttachment(s, file.getId(), null, null, null);
        ChatThread renamed = threads.updateThread(s, t, new ThreadPatch().name(null), null);
        ApiException failure = null;
        try {
            threads.getThread(s, "none", null);
        } catch (ApiException thrown) {
            failure = thrown;
        }
        Problem problem = gateway.getObjectMapper().readValue(failure.getResponseBody(), Problem.class);
        Message newest = page.getItems().get(0);

        Map<String, Object> found = new LinkedHashMap<>();
        found.put("customer", session.getCustomer().getFirstName());
        found.put("repeated", again.getId().equals(first.getId()));
        found.put("texts", List.of(newest.getText(), rest.getItems().get(0).getText()));
        found.put("author", List.of(newest.getAuthor().getName(), newest.getDirection().getValue()));
        found.put("replies", List.of(replies.getParent().getMessage().getText(), replies.getItems().get(0).getText(),
            replies.getItems().get(0).getParentId().equals(answer.getId())));
        found.put("collections", collections);
        List<String> types = new ArrayList<>();
        for (LoggedEvent event : events.getItems()) {
            if (event.getActualInstance() instanceof LoggedThreadCreated) types.add("thread.created");
            if (event.getActualInstance() instanceof LoggedMessageCreated) types.add("message.created");
        }
        found.put("events", types.subList(0, 2));
        found.put("event", events.getItems().get(1).getLoggedMessageCreated().getData().getMessage().getText());
        found.put("file", List.of(file.getName(), file.getSize(), content.length()));
        found.put("name", renamed.getName());
        found.put("time", first.getCreatedAt() instanceof OffsetDateTime);
        found.put("problem", List.of(failure.getCode(), problem.getCode(), problem.getStatus()));
        System.out.println(new ObjectMapper().writeValueAsString(found));
    }
}
