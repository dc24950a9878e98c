import type { z } from 'zod'
import { AdvisedStep } from '../advised-step.ts'
import { AgentSession } from '../agent-session.ts'
import { Artifact } from '../artifact.ts'
import { BoardCard, BoardColumn } from '../board.ts'
import { ChangeRationale, FileChange } from '../change-rationale.ts'
import { AgentReport, Delivery } from '../delivery.ts'
import { ErrorBody } from '../errors.ts'
import { ExecutionRequest, LaunchWarning, ListedRun } from '../execution-request.ts'
import { FeedChange, FeedLog, FeedReset, FeedStart } from '../feed.ts'
import { Candidate, ForecastSettings } from '../launch-forecast.ts'
import { KnownAgent } from '../known-agent.ts'
import { ListedResource } from '../listed-resource.ts'
import { Mission, MissionEvent, MissionStatus } from '../mission.ts'
import { Need } from '../need.ts'
import { NextStep } from '../next-step.ts'
import { ListedObjective, Objective } from '../objective.ts'
import { PreviewedLaunch } from '../previewed-launch.ts'
import { Project, ProjectResource } from '../project.ts'
import { RunChanges, RunFile } from '../run-files.ts'
import { Runner } from '../runner.ts'
import { RunDiff } from '../run-changes.ts'
import { RunnerDetail } from '../runner-detail.ts'
import { UserToken } from '../user-token.ts'
import { WebhookAttempt, WebhookDelivery, WebhookSubscription } from '../webhook-subscription.ts'

/** Shapes that answers refer to by a name, so that a generated client has a type for each; others are spelled out. */
export const resources: Readonly<Record<string, z.ZodType>> = {
  AdvisedStep,
  AgentReport,
  AgentSession,
  Artifact,
  BoardCard,
  BoardColumn,
  Candidate,
  ChangeRationale,
  Delivery,
  ExecutionRequest,
  FeedChange,
  FeedLog,
  FeedReset,
  FeedStart,
  FileChange,
  ForecastSettings,
  KnownAgent,
  LaunchWarning,
  ListedObjective,
  ListedResource,
  ListedRun,
  Mission,
  MissionEvent,
  MissionStatus,
  Need,
  NextStep,
  Objective,
  PreviewedLaunch,
  Project,
  ProjectResource,
  Refusal: ErrorBody,
  RunChanges,
  RunDiff,
  RunFile,
  Runner,
  RunnerDetail,
  UserToken,
  WebhookAttempt,
  WebhookDelivery,
  WebhookSubscription,
}
