/** What the service makes, by its rules, of what a test has it read. */
export { tellQueue } from '@svc/domain/next-steps/queues'
export { tellRun } from '@svc/domain/next-steps/runs'
export { tellStory } from '@svc/domain/next-steps/story'
