/** What the service makes, by its rules, of what a test has it read. */
export { tellQueue } from '../next-steps/queues.ts'
export { tellRun } from '../next-steps/runs.ts'
export { tellOverview } from '../next-steps/overview.ts'
