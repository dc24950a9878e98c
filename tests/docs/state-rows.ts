/** What each row of the table States and transitions is, by its number: who moves what, when and where to. */
export const stateRows: Record<number, string> = {
  1: 'A launch, by REST or by tool, of an objective that is `draft`, `submitted` or `launching`: it becomes `launching` and an execution request is `queued`.',
  2: 'A runner claims the oldest `queued` request that matches: it is the runner’s alone, and the runner reports `launching` at once.',
  3: 'The runner reports that the agent process has started: the request is `launched`.',
  4: 'The runner reports that the agent process could not be started: the request is `failed`, and the objective goes no further.',
  5: 'An agent attaches to an objective: it becomes `executing`, and the mission goes to phase `execute`.',
  6: 'The agent asks a blocking question: the objective stays `executing`, and `mission.blocked` is fired.',
  7: 'The agent sends an update or a heartbeat: the objective stays `executing`.',
  8: 'The agent delivers, or records work: the `executing` objective becomes `complete`, and the mission goes to `review`.',
  9: 'The objective before it is delivered while `auto_advance` is on: the next draft becomes `launching`, as in row 1.',
  10: 'The objective before it is delivered while `auto_advance` is off: the next draft becomes `awaiting_approval`.',
  11: 'A person moves a mission on the board: it has the status that was chosen, and `mission.status_changed` is fired.',
}
