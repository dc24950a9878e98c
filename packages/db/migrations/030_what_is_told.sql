-- The step of what people were told before notifications carried one.
update notifications set next = case
    when kind = 'question' then jsonb_build_object('operation', 'listQuestions',
      'params', jsonb_build_object('objectiveId', substring(link from 'objectiveId=(.+)$')))
    when link like '/api/execution-requests/%' then jsonb_build_object('operation', 'getExecutionRequest',
      'params', jsonb_build_object('id', substring(link from '[^/]+$')))
    when link like '/api/webhooks/%/deliveries' then jsonb_build_object('operation', 'listWebhookDeliveries',
      'params', jsonb_build_object('id', split_part(link, '/', 4)))
    else '{"operation": "listNotifications", "params": {}}' end
  where next is null;
alter table notifications alter column next set not null;

-- The projects that a runner claims for, as it told with its last claim; null is every one of the workspace.
alter table runners add column project_ids uuid[];
