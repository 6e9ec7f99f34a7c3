"""What a person does with a message, offered alike to the page and to tests."""

from local_slack.slack import LocalSlack
from local_slack.state import people
from local_slack.web_api.arguments import Arguments
from local_slack.web_api.json_endpoints import Answer
from local_slack.wire import Json


def acts(who: str) -> dict[str, Answer]:
    """Return the endpoints by name; the argument called `who` is the person."""

    def whose(args: Arguments) -> tuple[str, str, str]:
        return args.required(who), args.required("channel"), args.required("ts")

    def edit(slack: LocalSlack, args: Arguments) -> Json:
        people.edit(slack.workspace, *whose(args), args.text("text"))
        return {}

    def delete(slack: LocalSlack, args: Arguments) -> Json:
        people.delete(slack.workspace, *whose(args))
        return {}

    def react(slack: LocalSlack, args: Arguments) -> Json:
        return {"added": people.react(slack.workspace, *whose(args), args.required("name"))}

    def stop(slack: LocalSlack, args: Arguments) -> Json:
        user, channel, thread_ts = args.required(who), args.required("channel"), args.required("thread_ts")
        return {"streams": people.stop(slack.workspace, user, channel, thread_ts)}

    return {"edit": edit, "delete": delete, "react": react, "stop": stop}
