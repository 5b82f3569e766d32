// A chat by the client that openapi-generator makes for Go. What it found goes to stdout as JSON.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"parley"
	"time"
)

func client(token string) (*parley.APIClient, context.Context) {
	configuration := parley.NewConfiguration()
	configuration.Servers = parley.ServerConfigurations{{URL: os.Getenv("PARLEY_GATEWAY")}}
	return parley.NewAPIClient(configuration), context.WithValue(context.Background(), parley.ContextAccessToken, token)
}

// done takes what a call answers, which has to be no error.
func done[T any](value T, _ *http.Response, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	gateway, asGateway := client(os.Getenv("PARLEY_TOKEN"))
	request := parley.NewSessionRequest()
	request.SetChannel(os.Getenv("CHANNEL"))
	request.SetCustomer(parley.CustomerRequest{FirstName: parley.PtrString("Ann")})
	session := done(gateway.SessionsAPI.CreateSession(asGateway).SessionRequest(*request).Execute())

	// From here on as a program that was given the session alone.
	mine, me := client(session.GetToken())
	s := session.Id
	thread := done(mine.ThreadsAPI.CreateThread(me, s).ThreadRequest(parley.ThreadRequest{Name: parley.PtrString("Generated")}).Execute())
	t := thread.Id
	send := mine.MessagesAPI.SendMessage(me, s, t).MessageRequest(parley.MessageRequest{Text: parley.PtrString("Hello")}).IdempotencyKey("key-" + t)
	first, again := done(send.Execute()), done(send.Execute())
	words := parley.DeskMessageRequest{Text: parley.PtrString("Hi"), Agent: parley.NewAgentRequest("eve", "Eve")}
	answer := done(gateway.DeskAPI.SendDeskMessage(asGateway, t).DeskMessageRequest(words).Execute())
	page := done(mine.MessagesAPI.ListMessages(me, s, t).Limit(1).Execute()).MessageList
	rest := done(mine.MessagesAPI.ListMessages(me, s, t).Limit(1).Cursor(page.GetNext()).Execute()).MessageList
	thanks := parley.ReplyRequest{Text: parley.PtrString("Thanks")}
	reply := done(mine.MessagesAPI.SendReply(me, s, t, answer.Id).ReplyRequest(thanks).Execute())
	from := reply.CreatedAt.Format(time.RFC3339Nano)
	replies := done(mine.MessagesAPI.ListReplies(me, s, t, answer.Id).From(from).Inclusive(true).Execute())
	collections := []parley.CollectionKind{}
	number, text := int64(1777887000000), "2026-05-04T09:30:00Z"
	for _, viewpoint := range []parley.Viewpoint{parley.Int64AsViewpoint(&number), parley.StringAsViewpoint(&text)} {
		wanted := parley.NewCollectionRequest(parley.MESSAGES)
		wanted.SetThreadId(t)
		wanted.SetViewpoint(viewpoint)
		collections = append(collections, done(mine.CollectionsAPI.CreateCollection(me, s).CollectionRequest(*wanted).Execute()).Kind)
	}
	events := done(mine.EventsAPI.StreamSessionEvents(me, s).After(session.Cursor).Execute()).Items
	types := []string{}
	for _, event := range events {
		switch event.GetActualInstance().(type) {
		case *parley.LoggedThreadCreated:
			types = append(types, event.LoggedThreadCreated.Type)
		case *parley.LoggedMessageCreated:
			types = append(types, event.LoggedMessageCreated.Type)
		}
	}
	if err := os.WriteFile("plan.txt", []byte{'c', 'a', 'f', 0xe9}, 0o600); err != nil {
		panic(err)
	}
	plan, _ := os.Open("plan.txt")
	file := done(mine.MessagesAPI.UploadAttachment(me, s).File(plan).Execute())
	content, _ := done(mine.MessagesAPI.GetAttachment(me, s, file.Id).Execute()).Stat()
	patch := parley.NewThreadPatch(*parley.NewNullableString(nil))
	renamed := done(mine.ThreadsAPI.UpdateThread(me, s, t).ThreadPatch(*patch).Execute())
	_, _, err := mine.ThreadsAPI.GetThread(me, s, "none").Execute()
	var failure *parley.GenericOpenAPIError
	if !errors.As(err, &failure) {
		panic(fmt.Sprint("no problem, but ", err))
	}
	problem := failure.Model().(parley.Problem)

	found, _ := json.Marshal(map[string]any{
		"customer":    session.Customer.GetFirstName(),
		"repeated":    again.Id == first.Id,
		"texts":       []string{page.Items[0].GetText(), rest.Items[0].GetText()},
		"author":      []any{page.Items[0].Author.GetName(), page.Items[0].Direction},
		"replies":     []any{replies.Parent.Message.GetText(), replies.Items[0].GetText(), replies.Items[0].GetParentId() == answer.Id},
		"collections": collections,
		"events":      types[:2],
		"event":       events[1].LoggedMessageCreated.Data.Message.GetText(),
		"file":        []any{file.Name, file.Size, content.Size()},
		"name":        renamed.Name,
		"time":        time.Since(first.CreatedAt) > 0,
		"problem":     []any{404, problem.Code, problem.Status},
	})
	fmt.Println(string(found))
}
