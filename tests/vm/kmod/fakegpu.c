// SPDX-License-Identifier: GPL-2.0
/*
 * A devfreq device with the name, the clocks and the files of a Jetson Orin's GPU ("17000000.gpu"), and nothing behind it. The
 * kernel's own devfreq core and its own devfreq cooling answer every read and write, so a program under test meets their true
 * behaviour. Bound from a device tree node { compatible = "fakejetson,gpu"; }.
 *
 * Faults and what was really asked of the "hardware": /sys/kernel/debug/fakegpu/
 *   load         per mille busy that governors and the device's own file `load` see (default 100)
 *   clk_hz       what the hardware runs at; read only
 *   targets      how often a clock was asked for; read only
 *   set_errno    > 0: setting the clock fails with -set_errno
 *   stuck        1: setting the clock succeeds and does nothing
 *   cur_errno    > 0: reading the clock fails with -cur_errno
 *   set_delay_ms setting the clock takes that long
 */
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/devfreq.h>
#include <linux/devfreq_cooling.h>
#include <linux/err.h>
#include <linux/module.h>
#include <linux/of.h>
#include <linux/platform_device.h>
#include <linux/pm_opp.h>

#include "governor.h" /* drivers/devfreq/governor.h of the kernel's source */

/* AGX Orin since JetPack 5.1: steps of 102 MHz, and the maximum. */
static const unsigned long clocks[] = {
	306000000, 408000000, 510000000, 612000000, 714000000, 816000000, 918000000,
	1020000000, 1122000000, 1224000000, 1300500000,
};
#define HIGHEST_CLOCK 1300500000UL

struct fakegpu {
	struct devfreq *df;
	struct devfreq_dev_profile profile;
	struct thermal_cooling_device *cooling;
	struct dentry *debug;
	unsigned long clk;
	u32 load, set_errno, set_delay_ms, stuck, cur_errno;
	u64 targets;
};

static int set_clock(struct device *dev, unsigned long *freq, u32 flags)
{
	struct fakegpu *gpu = dev_get_drvdata(dev);
	struct dev_pm_opp *opp = devfreq_recommended_opp(dev, freq, flags);

	if (IS_ERR(opp))
		return PTR_ERR(opp);
	dev_pm_opp_put(opp);
	gpu->targets++;
	if (gpu->set_delay_ms)
		msleep(gpu->set_delay_ms);
	if (gpu->set_errno)
		return -(int)gpu->set_errno;
	if (!gpu->stuck)
		gpu->clk = *freq;
	return 0;
}

static int status(struct device *dev, struct devfreq_dev_status *st)
{
	struct fakegpu *gpu = dev_get_drvdata(dev);

	st->total_time = 1000;
	st->busy_time = min_t(u32, gpu->load, 1000);
	st->current_frequency = gpu->clk;
	return 0;
}

static int current_clock(struct device *dev, unsigned long *freq)
{
	struct fakegpu *gpu = dev_get_drvdata(dev);

	if (gpu->cur_errno)
		return -(int)gpu->cur_errno;
	*freq = gpu->clk;
	return 0;
}

/* As nvgpu's file: 0 to 1000. */
static ssize_t load_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct fakegpu *gpu = dev_get_drvdata(dev);

	return sysfs_emit(buf, "%u\n", min_t(u32, gpu->load, 1000));
}
static DEVICE_ATTR_RO(load);

/* In place of NVIDIA's governor of that name: follows the load; the core keeps it within the limits. */
static int podgov_clock(struct devfreq *df, unsigned long *freq)
{
	struct devfreq_dev_status *st = &df->last_status;
	int rc = devfreq_update_stats(df);

	if (rc)
		return rc;
	*freq = HIGHEST_CLOCK / 1000 * st->busy_time;
	return 0;
}

static int podgov_event(struct devfreq *df, unsigned int event, void *data)
{
	switch (event) {
	case DEVFREQ_GOV_START:
		devfreq_monitor_start(df);
		break;
	case DEVFREQ_GOV_STOP:
		devfreq_monitor_stop(df);
		break;
	case DEVFREQ_GOV_SUSPEND:
		devfreq_monitor_suspend(df);
		break;
	case DEVFREQ_GOV_RESUME:
		devfreq_monitor_resume(df);
		break;
	}
	return 0;
}

static struct devfreq_governor podgov = {
	.name = "nvhost_podgov",
	.attrs = DEVFREQ_GOV_ATTR_POLLING_INTERVAL,
	.get_target_freq = podgov_clock,
	.event_handler = podgov_event,
};

static void make_debug_files(struct fakegpu *gpu)
{
	gpu->debug = debugfs_create_dir("fakegpu", NULL);
	debugfs_create_u32("load", 0644, gpu->debug, &gpu->load);
	debugfs_create_ulong("clk_hz", 0444, gpu->debug, &gpu->clk);
	debugfs_create_u64("targets", 0444, gpu->debug, &gpu->targets);
	debugfs_create_u32("set_errno", 0644, gpu->debug, &gpu->set_errno);
	debugfs_create_u32("set_delay_ms", 0644, gpu->debug, &gpu->set_delay_ms);
	debugfs_create_u32("stuck", 0644, gpu->debug, &gpu->stuck);
	debugfs_create_u32("cur_errno", 0644, gpu->debug, &gpu->cur_errno);
}

static int probe(struct platform_device *pdev)
{
	struct device *dev = &pdev->dev;
	struct fakegpu *gpu = devm_kzalloc(dev, sizeof(*gpu), GFP_KERNEL);
	int i, rc;

	if (!gpu)
		return -ENOMEM;
	gpu->load = 100;
	gpu->clk = clocks[0];
	platform_set_drvdata(pdev, gpu);
	for (i = 0; i < ARRAY_SIZE(clocks); i++) {
		rc = dev_pm_opp_add(dev, clocks[i], 0);
		if (rc)
			goto no_device;
	}
	gpu->profile = (struct devfreq_dev_profile){
		.initial_freq = gpu->clk,
		.polling_ms = 100,
		.target = set_clock,
		.get_dev_status = status,
		.get_cur_freq = current_clock,
	};
	gpu->df = devfreq_add_device(dev, &gpu->profile, podgov.name, NULL);
	if (IS_ERR(gpu->df)) {
		rc = PTR_ERR(gpu->df);
		goto no_device;
	}
	rc = device_create_file(dev, &dev_attr_load);
	if (rc)
		goto no_files;
	/* nvgpu makes this link too, for a path that does not depend on how the kernel names the node. */
	rc = sysfs_create_link(&dev->kobj, &gpu->df->dev.kobj, "devfreq_dev");
	if (rc)
		goto no_link;
	gpu->cooling = devfreq_cooling_register(gpu->df);
	if (IS_ERR(gpu->cooling)) {
		rc = PTR_ERR(gpu->cooling);
		goto no_cooling;
	}
	make_debug_files(gpu);
	return 0;

no_cooling:
	sysfs_remove_link(&dev->kobj, "devfreq_dev");
no_link:
	device_remove_file(dev, &dev_attr_load);
no_files:
	devfreq_remove_device(gpu->df);
no_device:
	dev_pm_opp_remove_all_dynamic(dev);
	return rc;
}

static int remove(struct platform_device *pdev)
{
	struct fakegpu *gpu = platform_get_drvdata(pdev);

	debugfs_remove_recursive(gpu->debug);
	devfreq_cooling_unregister(gpu->cooling);
	sysfs_remove_link(&pdev->dev.kobj, "devfreq_dev");
	device_remove_file(&pdev->dev, &dev_attr_load);
	devfreq_remove_device(gpu->df);
	dev_pm_opp_remove_all_dynamic(&pdev->dev);
	return 0;
}

static const struct of_device_id tree_names[] = { { .compatible = "fakejetson,gpu" }, {} };
/* No MODULE_DEVICE_TABLE: udev must not load this by itself, a test decides when the GPU appears. */
static struct platform_driver fakegpu_driver = {
	.probe = probe,
	.remove = remove,
	.driver = { .name = "fakegpu", .of_match_table = tree_names },
};

static int __init fakegpu_init(void)
{
	int rc = devfreq_add_governor(&podgov);

	if (rc)
		return rc;
	rc = platform_driver_register(&fakegpu_driver);
	if (rc)
		devfreq_remove_governor(&podgov);
	return rc;
}

static void __exit fakegpu_exit(void)
{
	platform_driver_unregister(&fakegpu_driver);
	devfreq_remove_governor(&podgov);
}

module_init(fakegpu_init);
module_exit(fakegpu_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A GPU's devfreq device without a GPU, for tests");
