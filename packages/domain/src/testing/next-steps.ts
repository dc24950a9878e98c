/** What the service makes, by its rules, of what a test has it read. */
export { adviseOnQueue } from '../next-steps/queues.ts'
export { adviseOnRun } from '../next-steps/runs.ts'
export { adviseOnMission } from '../next-steps/overview.ts'
