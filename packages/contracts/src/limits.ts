/** Counted in characters of the text, bytes of the body, or items of the list, as the name says. */
export const limits = {
  titleCharacters: 200,
  /** For how many hours an invitation, and a link to set a new password, are good. */
  invitationHours: 72,
  resetLinkHours: 1,
  /** How many workspaces one person may make and own. */
  workspacesPerPerson: 100,
  instructionCharacters: 100_000,
  summaryCharacters: 20_000,
  updateCharacters: 10_000,
  sharedStateBytes: 256 * 1024,
  sharedStateKeys: 500,
  eventDataBytes: 16 * 1024,
  questionCharacters: 10_000,
  answerCharacters: 20_000,
  questionOptions: 10,
  /** For how many days a question stays open, and an answer to it waits for its agent. */
  questionDays: 14,
  askWaitSeconds: 25,
  contentTextBytes: 256 * 1024,
  presentationBytes: 64 * 1024,
  /** Of what stands now, in the refusal of a change that expected another revision. */
  mismatchBytes: 64 * 1024,
  jsonBodyBytes: 1024 * 1024,
  largeJsonBodyBytes: 5 * 1024 * 1024,
  attachmentBytes: 10 * 1024 * 1024,
  attachmentBytesPerObjective: 50 * 1024 * 1024,
  attachmentsPerObjective: 50,
  logChunkBytes: 1024 * 1024,
  /** Of the output of a run, and the runs of a workspace, where the operator sets no other; and the most of a run. */
  logMiB: 16,
  logMiBMax: 100,
  logQuotaGiB: 10,
  /** How long the audit trail is kept, where the operator says nothing else. */
  auditDays: 400,
  /** What one call reports, or is answered with, of all that a run changed. */
  diffPatchBytes: 512 * 1024,
  diffFiles: 1000,
  /** What is kept of it: its files, the patch of one, and those of all; and how many files one call is about. */
  runFiles: 5000,
  runFilePatchBytes: 512 * 1024,
  runPatchBytes: 16 * 1024 * 1024,
  runFilesAtOnce: 1000,
  /** How many other resources a run works in, in addition to its own. */
  otherResources: 20,
  artifactsPerDelivery: 50,
  reportItems: 100,
  reportTextCharacters: 4000,
  rationalesPerDelivery: 500,
  hunksPerRationale: 20,
  ledgerItemsPerBatch: 500,
  changedFilesPerObjective: 5000,
  warnings: 20,
  warningCharacters: 300,
  launchVariables: 100,
  launchFlagBytes: 16 * 1024,
  agentErrorCharacters: 300,
  checksPerProject: 5,
  /** The longest that one check may take, and where nothing is said. */
  checkSecondsMax: 3_600,
  checkSeconds: 600,
  /** How much of the end of the output of one check is kept. */
  checkOutputCharacters: 4_000,
  launchVariableBytes: 64 * 1024,
  statusesPerProject: 100,
  /** Of one resource, in the list of those of its project. */
  listedCheckouts: 50,
  objectivesPerMission: 500,
  /** Short enough that a page of the longest ones stays within the size of an answer. */
  inboxTextCharacters: 5_000,
  searchCharacters: 200,
  searchWords: 8,
  queuesPerProject: 20,
  entriesPerQueue: 500,
  deletedAtOnce: 100,
  restorableDays: 30,
  pageItems: 50,
  pageItemsMax: 200,
  /** Of things that one call reads by their ids. */
  idsAtOnce: 200,
  /** How many projects, or types of events, one call names. */
  projectsAtOnce: 20,
  eventTypesAtOnce: 30,
  /** Of each instruction in a list of objectives, where the call does not say it. */
  listedInstructionCharacters: 2_000,
  /** As many of a kind of need, of runs, and of the missions of a column, are counted. */
  countedNeeds: 1_000,
  countedRuns: 1_000,
  countedInboxItems: 1_000,
  countedMissions: 10_000,
  /** Failed deliveries of a webhook, of which no more are counted. */
  countedDeliveries: 10_000,
  /** Each event asks all of them. */
  webhooksPerWorkspace: 100,
  /** Consecutive failed deliveries of a webhook, after which its admins are warned, and which disable it. */
  webhookFailuresUntilWarning: 10,
  webhookFailuresUntilDisabled: 20,
  /** How many hours back deliveries are counted. */
  countedHours: 48,
  /** The newest of each column that a board shows, where no other number is asked for. */
  cards: 30,
  cardsMax: 100,
  runtimeMinutesMax: 14 * 24 * 60,
  claimWaitSeconds: 25,
} as const
