/** A type of monitored resource: its name, what it is called, and its labels, all of them texts. */
export type ResourceType = {
  type: string;
  displayName: string;
  description: string;
  labels: Readonly<Record<string, string>>;
};

/** The vendor's common types of monitored resources, in the order of their names. Descriptions are ours. */
export const RESOURCE_TYPES: readonly ResourceType[] = [
  {
    type: 'api',
    displayName: 'Produced API',
    description: 'An API that the project offers.',
    labels: {
      project_id: 'The identifier of the project associated with this resource.',
      service: 'The name of the API service.',
      method: 'The name of the API method.',
      version: 'The version of the API.',
      location: 'The location of the service.',
    },
  },
  {
    type: 'audited_resource',
    displayName: 'Audited resource',
    description: 'A resource of any kind that audit logs speak of.',
    labels: {
      project_id: 'The identifier of the project associated with this resource.',
      service: 'The name of the API service.',
      method: 'The name of the API method.',
    },
  },
  {
    type: 'bigquery_dataset',
    displayName: 'BigQuery Dataset',
    description: 'A dataset.',
    labels: {
      project_id: 'The identifier of the project associated with this resource.',
      dataset_id: 'The identifier of the dataset.',
    },
  },
  {
    type: 'bigquery_resource',
    displayName: 'BigQuery',
    description: 'A resource of BigQuery.',
    labels: { project_id: 'The identifier of the project associated with this resource.' },
  },
  {
    type: 'cloud_function',
    displayName: 'Cloud Function',
    description: 'A function.',
    labels: {
      project_id: 'The identifier of the project associated with this resource.',
      function_name: 'The short name of the function.',
      region: 'The region of the function.',
    },
  },
  {
    type: 'cloud_run_job',
    displayName: 'Cloud Run Job',
    description: 'A job that runs containers.',
    labels: {
      project_id: 'The identifier of the project associated with this resource.',
      job_name: 'The name of the job.',
      location: 'The location of the job.',
    },
  },
  {
    type: 'cloud_run_revision',
    displayName: 'Cloud Run Revision',
    description: 'A revision of a service that runs containers.',
    labels: {
      project_id: 'The identifier of the project associated with this resource.',
      service_name: 'The name of the service.',
      revision_name: 'The name of the revision.',
      location: 'The location of the service.',
      configuration_name: 'The name of the configuration that made the revision.',
    },
  },
  {
    type: 'cloudsql_database',
    displayName: 'Cloud SQL Database',
    description: 'A database.',
    labels: {
      project_id: 'The identifier of the project associated with this resource.',
      database_id: 'The identifier of the database.',
      region: 'The region of the database.',
    },
  },
  {
    type: 'consumed_api',
    displayName: 'Consumed API',
    description: 'An API that the project uses.',
    labels: {
      project_id: 'The identifier of the project associated with this resource.',
      service: 'The name of the API service.',
      method: 'The name of the API method.',
      version: 'The version of the API.',
      location: 'The location of the service.',
      credential_id: 'The identifier of the credential.',
    },
  },
  {
    type: 'folder',
    displayName: 'Folder',
    description: 'A folder.',
    labels: { folder_id: 'The numeric identifier of the folder.' },
  },
  {
    type: 'gae_app',
    displayName: 'GAE Application',
    description: 'An application of App Engine.',
    labels: {
      project_id: 'The identifier of the project associated with this resource.',
      module_id: 'The service (module) name.',
      version_id: 'The version of the application.',
      zone: 'The zone of the application.',
    },
  },
  {
    type: 'gce_firewall_rule',
    displayName: 'GCE Firewall Rule',
    description: 'A rule of a firewall.',
    labels: {
      project_id: 'The identifier of the project associated with this resource.',
      firewall_rule_id: 'The identifier of the rule.',
    },
  },
  {
    type: 'gce_instance',
    displayName: 'VM Instance',
    description: 'A virtual machine instance.',
    labels: {
      project_id: 'The identifier of the project associated with this resource.',
      instance_id: 'The numeric identifier of the instance.',
      zone: 'The zone of the instance.',
    },
  },
  {
    type: 'gce_subnetwork',
    displayName: 'Subnetwork',
    description: 'A subnetwork.',
    labels: {
      project_id: 'The identifier of the project associated with this resource.',
      subnetwork_id: 'The identifier of the subnetwork.',
      subnetwork_name: 'The name of the subnetwork.',
      location: 'The location of the subnetwork.',
    },
  },
  {
    type: 'gcs_bucket',
    displayName: 'GCS Bucket',
    description: 'A bucket of files.',
    labels: {
      project_id: 'The identifier of the project associated with this resource.',
      bucket_name: 'The name of the bucket.',
      location: 'The location of the bucket.',
    },
  },
  {
    type: 'generic_node',
    displayName: 'Generic node',
    description: 'A machine or other computational resource for which no more specific type is suitable.',
    labels: {
      project_id: 'The identifier of the project associated with this resource.',
      location: 'The location where data about the resource is kept.',
      namespace: 'A namespace identifier, such as a cluster name.',
      node_id: 'A unique identifier of the node within the namespace.',
    },
  },
  {
    type: 'generic_task',
    displayName: 'Generic task',
    description: 'An application process for which no more specific type is suitable.',
    labels: {
      project_id: 'The identifier of the project associated with this resource.',
      location: 'The location where data about the resource is kept.',
      namespace: 'A namespace identifier, such as a cluster name.',
      job: 'An identifier of a grouping of related tasks.',
      task_id: 'A unique identifier of the task within the namespace and job.',
    },
  },
  {
    type: 'global',
    displayName: 'Global',
    description: 'A resource type that is not associated with any specific resource.',
    labels: { project_id: 'The identifier of the project associated with this resource.' },
  },
  {
    type: 'http_load_balancer',
    displayName: 'Cloud HTTP Load Balancer',
    description: 'A load balancer of HTTP.',
    labels: {
      project_id: 'The identifier of the project associated with this resource.',
      forwarding_rule_name: 'The name of the forwarding rule.',
      url_map_name: 'The name of the URL map.',
      target_proxy_name: 'The name of the target proxy.',
      backend_service_name: 'The name of the backend service.',
      zone: 'The zone of the load balancer.',
    },
  },
  {
    type: 'k8s_cluster',
    displayName: 'Kubernetes Cluster',
    description: 'A cluster.',
    labels: {
      project_id: 'The identifier of the project associated with this resource.',
      location: 'The location of the cluster.',
      cluster_name: 'The name of the cluster.',
    },
  },
  {
    type: 'k8s_container',
    displayName: 'Kubernetes Container',
    description: 'A container of a pod.',
    labels: {
      project_id: 'The identifier of the project associated with this resource.',
      location: 'The location of the cluster.',
      cluster_name: 'The name of the cluster.',
      namespace_name: 'The name of the namespace.',
      pod_name: 'The name of the pod.',
      container_name: 'The name of the container.',
    },
  },
  {
    type: 'k8s_node',
    displayName: 'Kubernetes Node',
    description: 'A node of a cluster.',
    labels: {
      project_id: 'The identifier of the project associated with this resource.',
      location: 'The location of the cluster.',
      cluster_name: 'The name of the cluster.',
      node_name: 'The name of the node.',
    },
  },
  {
    type: 'k8s_pod',
    displayName: 'Kubernetes Pod',
    description: 'A pod of a cluster.',
    labels: {
      project_id: 'The identifier of the project associated with this resource.',
      location: 'The location of the cluster.',
      cluster_name: 'The name of the cluster.',
      namespace_name: 'The name of the namespace.',
      pod_name: 'The name of the pod.',
    },
  },
  {
    type: 'logging_bucket',
    displayName: 'Log bucket',
    description: 'A log bucket.',
    labels: {
      resource_container: 'The container that the bucket belongs to.',
      location: 'The location of the bucket.',
      bucket_id: 'The identifier of the bucket.',
    },
  },
  {
    type: 'logging_log',
    displayName: 'Log stream',
    description: 'A log of the container.',
    labels: {
      project_id: 'The identifier of the project associated with this resource.',
      name: 'The name of the log.',
    },
  },
  {
    type: 'logging_sink',
    displayName: 'Logging export sink',
    description: 'A sink that exports log entries.',
    labels: {
      project_id: 'The identifier of the project associated with this resource.',
      name: 'The name of the sink.',
      destination: 'The destination of the sink.',
    },
  },
  {
    type: 'metric',
    displayName: 'Metric type',
    description: 'A type of metrics.',
    labels: {
      project_id: 'The identifier of the project associated with this resource.',
      name: 'The name of the metric type.',
    },
  },
  {
    type: 'organization',
    displayName: 'Organization',
    description: 'An organization.',
    labels: { organization_id: 'The numeric identifier of the organization.' },
  },
  {
    type: 'project',
    displayName: 'Project',
    description: 'A project.',
    labels: { project_id: 'The identifier of the project.' },
  },
  {
    type: 'pubsub_subscription',
    displayName: 'Cloud Pub/Sub Subscription',
    description: 'A subscription to a topic.',
    labels: {
      project_id: 'The identifier of the project associated with this resource.',
      subscription_id: 'The identifier of the subscription.',
    },
  },
  {
    type: 'pubsub_topic',
    displayName: 'Cloud Pub/Sub Topic',
    description: 'A topic.',
    labels: {
      project_id: 'The identifier of the project associated with this resource.',
      topic_id: 'The identifier of the topic.',
    },
  },
  {
    type: 'service_account',
    displayName: 'Service Account',
    description: 'An account of a program.',
    labels: {
      project_id: 'The identifier of the project associated with this resource.',
      email_id: 'The address of the account.',
      unique_id: 'The unique identifier of the account.',
    },
  },
  {
    type: 'uptime_url',
    displayName: 'Uptime Check URL',
    description: 'A URL that is watched.',
    labels: {
      project_id: 'The identifier of the project associated with this resource.',
      host: 'The host of the URL.',
    },
  },
];
