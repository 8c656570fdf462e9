/** A whole overrides file of 1.2 to try everything with: it has no errors, and one warning to read. */
export const SAMPLE_OVERRIDES = `# A sample of version 1.2: three Cassandra nodes, two environments, two virtual hosts.
gcp:
  projectID: example-project
  region: us-central1

k8sCluster:
  name: example-cluster
  region: us-central1

org: example-org

virtualhosts:
  - name: public
    hostAliases:
      - api.example.com
    sslCertPath: ./certs/api.pem
    sslKeyPath: ./certs/api.key
    routingRules:
      - env: test
        paths:
          - /test
      - env: prod
  - name: partners
    hostAliases:
      - partners.example.com
    sslCertPath: ./certs/partners.pem
    sslKeyPath: ./certs/partners.key
    routingRules:
      - env: prod

envs:
  - name: test
    serviceAccountPaths:
      synchronizer: ./keys/example-project-apigee-synchronizer.json
      udca: ./keys/example-project-apigee-udca.json
  - name: prod
    serviceAccountPaths:
      synchronizer: ./keys/example-project-apigee-synchronizer.json
      udca: ./keys/example-project-apigee-udca.json

cassandra:
  replicaCount: 3
  storage:
    storageclass: standard
    capacity: 50Gi

mart:
  hostAlias: mart.example.com
  serviceAccountPath: ./keys/example-project-apigee-mart.json
  sslCertPath: ./certs/mart.pem
  sslKeyPath: ./certs/mart.key

# The Connect agent has an account of its own here. In many installations it is that of MART.
connectAgent:
  enabled: true
  serviceAccountPath: ./keys/example-project-apigee-connect.json

metrics:
  serviceAccountPath: ./keys/example-project-apigee-metrics.json

ingress:
  runtime:
    loadBalancerIP: 203.0.113.10
`;
