import { describeConnector } from './describe-connector.ts'

describeConnector('legacy')
describeConnector('modern')
