"""Groups of people."""

from local_slack.objects import group_object
from local_slack.slack import LocalSlack
from local_slack.web_api.arguments import Arguments
from local_slack.wire import Json, SlackError


def usergroups_list(slack: LocalSlack, args: Arguments) -> Json:
    with_users = args.flag("include_users")
    groups = slack.workspace.groups.values()
    return {"usergroups": [group_object(slack.workspace, group, with_users=with_users) for group in groups]}


def users_list(slack: LocalSlack, args: Arguments) -> Json:
    group = slack.workspace.groups.get(args.required("usergroup", "no_such_subteam"))
    if group is None:
        raise SlackError("no_such_subteam")
    return {"users": list(group.users)}
