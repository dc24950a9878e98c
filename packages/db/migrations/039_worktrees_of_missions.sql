-- Whether the runs of a mission have worktrees of their own; null where its project says.
alter table missions add column use_worktrees boolean;
